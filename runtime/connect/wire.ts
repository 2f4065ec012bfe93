import { existsSync } from "node:fs";
import path from "node:path";
import { RolecallError } from "../errors.ts";
import type { LinkWorld } from "../link.ts";
import type { ServerData, TemplateData, TransportData } from "../server-data.ts";
import { missingVariable, type References } from "./expand.ts";
import { watchFetch } from "./http-fetch.ts";
import { safeVariables, type Library, type Transport } from "./library.ts";
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
  readonly server: ServerData;
  readonly world: LinkWorld;
  readonly references: References;
  readonly library: Library;
  /** The server's own stream was cut and opened again. */
  gap(): void;
}

export function createWire(entry: TransportData, wiring: Wiring): Promise<Wire> {
  return entry.kind === "stdio" ? stdioWire(entry, wiring) : httpWire(entry, wiring);
}

type HttpEntry = Extract<TransportData, { readonly kind: "http" | "sse" }>;
type StdioEntry = Extract<TransportData, { readonly kind: "stdio" }>;

async function httpWire(entry: HttpEntry, wiring: Wiring): Promise<Wire> {
  const { library, references } = wiring;
  const url = checkedUrl(
    entry.url,
    (await references.expand(entry.url, secretsOf(wiring))) ?? "",
    wiring.server.server,
  );
  const headers = await expandPairs(entry.headers, wiring);
  const watched = watchFetch(wiring.gap);
  const options = { fetch: watched.fetch, requestInit: { headers }, redirectPolicy: "same-origin" } as const;
  const transport =
    entry.kind === "sse"
      ? new library.SSEClientTransport(url, options)
      : new library.StreamableHTTPClientTransport(url, { ...options, reconnectionOptions: RECONNECTION });
  return { transport, ...NO_CHILD, failure: () => watched.failure, listening: watched.listening };
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
  const { server, world, references } = wiring;
  const cwd = await directoryOf(entry, wiring);
  const reveal = secretsOf(wiring);
  const words: string[] = [];
  for (const template of entry.command) {
    // A path is no secret, and hiding it would hide every result that names a file.
    const word = await references.expand(template, (value) => existsSync(path.resolve(cwd, value)) || reveal(value));
    if (word !== undefined) words.push(word);
  }
  const [command, ...args] = words;
  if (command === undefined || command === "") throw unusable(server.server, "its command is empty");
  const env = { ...(await safeVariables()), ...(await expandPairs(entry.env, wiring)) };
  if (!existsSync(cwd)) throw unusable(server.server, `its folder ${path.relative(world.root, cwd)} doesn't exist`);
  const transport = stdioChild({ command, args, env, cwd });
  return {
    transport,
    said: transport.said,
    ending: transport.ending,
    failure: () => undefined,
    listening: Promise.resolve(),
  };
}

/** Never the process's own folder by accident: nothing where a variable should say the place is a missing variable. */
async function directoryOf(entry: StdioEntry, { server, world, references }: Wiring): Promise<string> {
  if (entry.cwd === undefined) return path.resolve(world.root);
  const written = await references.expand(entry.cwd);
  if (written !== undefined && written !== "") return path.resolve(world.root, written);
  const reference = entry.cwd.find((part) => typeof part !== "string");
  throw missingVariable(server.server, typeof reference === "object" ? reference.name : "of its folder");
}

async function expandPairs(pairs: StdioEntry["env"], wiring: Wiring): Promise<Record<string, string>> {
  const reveal = secretsOf(wiring);
  const expanded: [string, string][] = [];
  for (const [name, template] of pairs) {
    const value = await wiring.references.expand(template, reveal);
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
function checkedUrl(template: TemplateData, text: string, server: string): URL {
  const url = parseUrl(text);
  if (url === undefined) throw unusable(server, "its address is no http or https URL once its variables are filled in");
  const [first] = template;
  if (template.length > 1 || typeof first === "string") {
    const written = parseUrl(typeof first === "string" ? first : "");
    if (written === undefined || userAndOrigin(written) !== userAndOrigin(url))
      throw unusable(server, "its variables would move it to another origin");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw unusable(server, "plain http:// is for this machine alone: use https://");
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

function unusable(server: string, why: string): RolecallError {
  return new RolecallError("server-unavailable", `${server} can't be connected: ${why}`, { server });
}
