import { existsSync } from "node:fs";
import path from "node:path";
import type { LinkWorld } from "../link.ts";
import { saysSecret } from "../secret-names.ts";
import { isLoopback } from "../loopback.ts";
import type { TemplateData, TransportData } from "../server-data.ts";
import { Unusable, type Expand, type References } from "./expand.ts";

/** One way to a server, with its references expanded and looked over: nothing is opened or started yet. */

export type HttpEntry = Extract<TransportData, { readonly kind: "http" | "sse" }>;
export type StdioEntry = Extract<TransportData, { readonly kind: "stdio" }>;

export interface Expansion {
  readonly world: Pick<LinkWorld, "root"> & { secret(value: string): void };
  readonly references: References;
}

export interface Address {
  readonly url: URL;
  readonly headers: Record<string, string>;
}

export interface Start {
  readonly command: string;
  readonly args: string[];
  /** What is written for it alone. */
  readonly env: Record<string, string>;
  /** Absolute. */
  readonly cwd: string;
}

export async function expandAddress(entry: HttpEntry, expansion: Expansion): Promise<Address> {
  const reveal = secretsOf(expansion);
  const { text, headers } = await expansion.references.gather(async (expand) => ({
    text: (await expand(entry.url, reveal)) ?? "",
    headers: await expandPairs(entry.headers, expand, reveal),
  }));
  const url = checkedUrl(entry.url, text);
  checkHeaders(headers);
  return { url, headers };
}

export async function expandStart(entry: StdioEntry, expansion: Expansion): Promise<Start> {
  const { world, references } = expansion;
  const reveal = secretsOf(expansion);
  const { place, words, env } = await references.gather(async (expand) => {
    const written = entry.cwd === undefined ? "." : await expand(entry.cwd);
    const from = path.resolve(world.root, written ?? "");
    const pairs = await expandPairs(entry.env, expand, reveal);
    return { place: written, words: await expandCommand(entry, from, expand, reveal), env: pairs };
  });
  const cwd = path.resolve(world.root, writtenFolder(entry, place));
  const [command, ...args] = words;
  if (command === undefined || command === "") throw new Unusable("its command is empty");
  if (!existsSync(cwd)) throw new Unusable(`its folder ${path.relative(world.root, cwd)} doesn't exist`);
  return { command, args, env, cwd };
}

/** What refuses them later shows the value in its message. */
function checkHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value))
      throw new Unusable(`the header \`${name}\` would hold a line break or another character that headers can't`);
  }
}

/** Never the process's own folder by accident: nothing where a variable should say the place is a missing variable. */
function writtenFolder(entry: StdioEntry, place: string | undefined): string {
  if (place !== undefined && place !== "") return place;
  const reference = entry.cwd?.find((part) => typeof part !== "string");
  throw typeof reference === "object" ? new Unusable("", [reference.name]) : new Unusable("its folder is empty");
}

async function expandCommand(
  entry: StdioEntry,
  cwd: string,
  expand: Expand,
  reveal: (value: string) => void,
): Promise<string[]> {
  const words: string[] = [];
  for (const template of entry.command) {
    // A path is no secret, and hiding it would hide every result that names a file.
    const word = await expand(template, (value) => existsSync(path.resolve(cwd, value)) || reveal(value));
    if (word !== undefined) words.push(word);
  }
  return words;
}

async function expandPairs(
  pairs: StdioEntry["env"],
  expand: Expand,
  reveal: (value: string) => void,
): Promise<Record<string, string>> {
  const expanded: [string, string][] = [];
  for (const [name, template] of pairs) {
    let isShort = false;
    const value = await expand(template, (one) => {
      isShort ||= one.length < SHORTEST_SECRET;
      reveal(one);
    });
    // What is too short to be looked for alone.
    if (isShort && value !== undefined && saysSecret(name)) reveal(value);
    if (value !== undefined) expanded.push([name, value]);
  }
  return Object.fromEntries(expanded);
}

const SHORTEST_SECRET = 6;

function secretsOf({ world }: Expansion): (value: string) => void {
  return (value) => {
    if (value.length >= SHORTEST_SECRET) world.secret(value);
  };
}

/** The origin is the written one, unless the whole URL is a reference; plain HTTP is for loopback. */
function checkedUrl(template: TemplateData, text: string): URL {
  const url = parseUrl(text);
  if (url === undefined) throw new Unusable("its address is no http or https URL once its variables are filled in");
  const [first] = template;
  if (template.length > 1 || typeof first === "string") {
    const written = parseUrl(typeof first === "string" ? first : "");
    if (written === undefined || userAndOrigin(written) !== userAndOrigin(url))
      throw new Unusable("its variables would move it to another origin");
  }
  if (url.username !== "" || url.password !== "")
    throw new Unusable("its address holds a user name or password: give them in a header");
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new Unusable("plain http:// is for this machine alone: use https://");
  return url;
}

function parseUrl(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
  } catch {
    return undefined;
  }
}

function userAndOrigin(url: URL): string {
  return `${url.username}:${url.password}@${url.origin}`;
}
