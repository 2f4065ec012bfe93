import { existsSync } from "node:fs";
import path from "node:path";
import type { LinkWorld } from "../link.ts";
import type { TemplateData, TransportData } from "../server-data.ts";
import { Unusable, type Expand, type References } from "./expand.ts";
import { watchFetch } from "./http-fetch.ts";
import { safeVariables, type Credentials, type Library, type Transport } from "./library.ts";
import { stdioChild } from "./stdio-child.ts";

/** A transport with its references expanded, not started yet. */
export interface Wire {
  readonly transport: Transport;
  /** What a child said last on standard error, and how it ended. */
  said(): string;
  ending(): string;
  /** Why the last request went nowhere, where the transport doesn't say it. */
  failure(): unknown;
  /** HTTP: what the server says by itself is heard, or won't be. */
  readonly listening: Promise<void>;
}

export interface Wiring {
  readonly world: Pick<LinkWorld, "root" | "secret" | "credentials">;
  readonly references: References;
  readonly library: Library;
  readonly tap?: Tap | undefined;
  /** The server's own stream was cut and opened again. */
  gap(): void;
}

/** Hears what comes in as text, before anything has read it: whoever pins an answer wants it as it was sent. */
export interface Tap {
  line(text: string): void;
  /** Gives the same answer, to be read by the library. */
  response(response: Response): Response;
}

export function createWire(entry: TransportData, wiring: Wiring): Promise<Wire> {
  return entry.kind === "stdio" ? stdioWire(entry, wiring) : httpWire(entry, wiring);
}

type HttpEntry = Extract<TransportData, { readonly kind: "http" | "sse" }>;
type StdioEntry = Extract<TransportData, { readonly kind: "stdio" }>;

async function httpWire(entry: HttpEntry, wiring: Wiring): Promise<Wire> {
  const { library, references, world, tap } = wiring;
  const reveal = secretsOf(wiring);
  const { text, headers } = await references.gather(async (expand) => ({
    text: (await expand(entry.url, reveal)) ?? "",
    headers: await expandPairs(entry.headers, expand, reveal),
  }));
  const url = checkedUrl(entry.url, text);
  checkHeaders(headers);
  const authProvider = credentialsFor(url, headers, world);
  const watched = watchFetch(wiring.gap, { tap: tap?.response, asksAgain: authProvider !== undefined });
  const options = {
    fetch: watched.fetch,
    requestInit: { headers },
    redirectPolicy: "same-origin",
    ...(authProvider === undefined ? {} : { authProvider }),
  } as const;
  const transport =
    entry.kind === "sse"
      ? new library.SSEClientTransport(url, options)
      : new library.StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: RECONNECTION });
  return { transport, ...NO_CHILD, failure: () => watched.failure, listening: watched.listening };
}

/** What is written in the project comes before what somebody signed in with. */
function credentialsFor(
  url: URL,
  headers: Record<string, string>,
  { credentials }: Wiring["world"],
): Credentials | undefined {
  const isWritten = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  return isWritten ? undefined : credentials?.(url.origin);
}

/** What refuses them later shows the value in its message. */
function checkHeaders(headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/[\u0000-\u0008\u000a-\u001f\u007f]|[^\u0000-\u00ff]/.test(value))
      throw new Unusable(`the header \`${name}\` would hold a line break or another character that headers can't`);
  }
}

const NO_CHILD = { said: () => "", ending: () => "" };

/** Of a cut stream, inside the transport. A server that is gone is known to be gone after about half a second. */
const RECONNECTION = {
  initialReconnectionDelay: 100,
  maxReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 3,
  maxRetries: 2,
};

async function stdioWire(entry: StdioEntry, wiring: Wiring): Promise<Wire> {
  const { world, references, tap } = wiring;
  const reveal = secretsOf(wiring);
  const { place, words, own } = await references.gather(async (expand) => {
    const written = entry.cwd === undefined ? "." : await expand(entry.cwd);
    const from = path.resolve(world.root, written ?? "");
    const pairs = await expandPairs(entry.env, expand, reveal);
    return { place: written, words: await expandCommand(entry, from, expand, reveal), own: pairs };
  });
  const cwd = path.resolve(world.root, writtenFolder(entry, place));
  const [command, ...args] = words;
  if (command === undefined || command === "") throw new Unusable("its command is empty");
  if (!existsSync(cwd)) throw new Unusable(`its folder ${path.relative(world.root, cwd)} doesn't exist`);
  const env = { ...(await safeVariables()), ...own };
  const transport = stdioChild({ command, args, env, cwd }, tap?.line);
  return {
    transport,
    said: transport.said,
    ending: transport.ending,
    failure: () => undefined,
    listening: Promise.resolve(),
  };
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
    const value = await expand(template, reveal);
    if (value !== undefined) expanded.push([name, value]);
  }
  return Object.fromEntries(expanded);
}

const SHORTEST_SECRET = 6;

function secretsOf({ world }: Wiring): (value: string) => void {
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

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}
