import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, expect } from "vitest";
import { toolDigest } from "../../compiler/1-source/examine-manifest.ts";
import type { EnvLookup, RuntimeEvent } from "../../runtime/api.ts";
import { openLink } from "../../runtime/connect/open-link.ts";
import type { JsonValue } from "../../runtime/contract.ts";
import { RolecallError } from "../../runtime/errors.ts";
import type { Link, LinkWorld } from "../../runtime/link.ts";
import { createSecrets, type Secrets } from "../../runtime/secrets.ts";
import type { ServerData, TemplateData, TransportData } from "../../runtime/server-data.ts";
import { TOOLS } from "./faults/tools.mjs";
import { FAULT_SERVER, ROOT } from "./root.ts";

/** Links to real processes, ended after each test whatever became of it. */

const servers = new Set<ChildProcess>();
const links = new Set<Link>();

afterEach(async () => {
  await Promise.all([...links].map((link) => link.close()));
  links.clear();
  for (const server of servers) server.kill("SIGKILL");
  servers.clear();
});

/** Whatever a fault server may answer. */
export interface Answer {
  readonly content: readonly [{ readonly text: string }];
  readonly structuredContent?: Answer;
  readonly args: unknown;
  readonly answer: unknown;
  readonly pid: number;
  readonly childPid?: number;
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: string;
  readonly methods: Readonly<Record<string, number>>;
  readonly lists: number;
  readonly held?: number;
  readonly closed: number;
  readonly gets: number;
  readonly offered: { readonly capabilities: object };
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface Opened {
  readonly link: Link;
  readonly events: RuntimeEvent[];
  readonly secrets: string[];
  /** What is known of them. */
  readonly known: Secrets;
  /** Milliseconds that the link's clock is ahead. */
  skip(ms: number): void;
  /** Calls a tool and gives `structuredContent`, or what it said. */
  call(tool: string, args?: JsonValue, timeoutMs?: number): Promise<Answer>;
  /** The error that a call rejects with. */
  failure(tool: string, args?: JsonValue, timeoutMs?: number): Promise<RolecallError>;
}

export function open(
  server: ServerData,
  env: Record<string, string> | EnvLookup = {},
  root: string = import.meta.dirname,
  credentials?: LinkWorld["credentials"],
): Opened {
  const events: RuntimeEvent[] = [];
  const secrets: string[] = [];
  const known = createSecrets();
  let ahead = 0;
  const link = openLink(server, {
    env: typeof env === "function" ? env : (name) => (Object.hasOwn(env, name) ? env[name] : undefined),
    root,
    ...(credentials && { credentials }),
    clock: { now: () => Date.now() + ahead, sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) },
    on: (event) => void events.push(event),
    secrets: { ...known, add: (value) => (secrets.push(value), known.add(value)) },
  });
  links.add(link);
  const call = async (tool: string, args: JsonValue = {}, timeoutMs = 5_000): Promise<Answer> => {
    const raw = (await link.call(tool, args, { timeoutMs })).raw as unknown as Answer;
    return raw.structuredContent ?? raw;
  };
  return {
    link,
    events,
    secrets,
    known,
    skip: (ms) => void (ahead += ms),
    call,
    failure: (tool, args, timeoutMs) => errorOf(call(tool, args, timeoutMs)),
  };
}

export async function errorOf(work: Promise<unknown>): Promise<RolecallError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(RolecallError);
  return error as RolecallError;
}

export function serverData(connect: readonly TransportData[], more: Partial<ServerData> = {}): ServerData {
  return {
    format: 1,
    server: "faulty",
    connect,
    timeoutMs: 5_000,
    breaker: { failures: 3, cooldownMs: 60_000 },
    connection: "project",
    mustConnect: false,
    tools: pinsOf(TOOLS),
    ...more,
  };
}

export function pinsOf(tools: readonly { readonly name: string }[]): ServerData["tools"] {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        digest: toolDigest(tool as never),
        inputSchema: { type: "object" },
        readOnly: false,
        idempotent: false,
        labels: [],
      },
    ]),
  );
}

type Env = Readonly<Record<string, TemplateData>>;

export function stdio(command: readonly (string | TemplateData)[], env: Env = {}, cwd?: TemplateData): TransportData {
  const words = command.map((word) => (typeof word === "string" ? [word] : word));
  return { kind: "stdio", command: words, env: Object.entries(env), ...(cwd === undefined ? {} : { cwd }) };
}

export function fault(config: object = {}, env: Env = {}, more: readonly TemplateData[] = []): TransportData {
  return stdio([process.execPath, FAULT_SERVER, JSON.stringify(config), ...more], env);
}

export function http(url: string | TemplateData, headers: Env = {}): TransportData {
  return { kind: "http", url: typeof url === "string" ? [url] : url, headers: Object.entries(headers) };
}

export function sse(url: string): TransportData {
  return { kind: "sse", url: [url], headers: [] };
}

export interface Started {
  readonly process: ChildProcess;
  readonly port: number;
  readonly url: string;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** A fault server over HTTP, listening. */
export async function startFault(config: object): Promise<Started> {
  const child = start([FAULT_SERVER, JSON.stringify({ over: "http", ...config })]);
  const { value } = await createInterface({ input: child.stdout! })[Symbol.asyncIterator]().next();
  const { port } = JSON.parse(value) as { port: number };
  return started(child, port, "over" in config && config.over === "sse" ? "/sse" : "/mcp");
}

/** A reference server that says on standard error when it listens. */
export async function startEverything(mode: "streamableHttp" | "sse", port: number): Promise<Started> {
  const child = start([referenceServer("everything"), mode], { PORT: String(port) });
  for await (const line of createInterface({ input: child.stderr! })) if (/port \d+/.test(line)) break;
  child.stderr?.resume();
  child.stdout?.resume();
  return started(child, port, mode === "sse" ? "/sse" : "/mcp");
}

export function referenceServer(name: string): string {
  return path.join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
}

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: "pipe" });
  servers.add(child);
  return child;
}

function started(child: ChildProcess, port: number, path: string): Started {
  const kill = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    const gone = once(child, "exit");
    child.kill(signal);
    if (signal === "SIGKILL") await gone;
  };
  return { process: child, port, url: `http://127.0.0.1:${port}${path}`, kill };
}

/** Waits for what must come true soon. */
export async function soon(holds: () => boolean, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(holds()).toBe(true);
}

/** A process that has ended and that its parent hasn't looked at yet isn't alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
