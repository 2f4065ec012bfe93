import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { ErrorCode, Team } from "../../../runtime/api.ts";
import { RolecallError } from "../../../runtime/errors.ts";
import { team } from "../../../runtime/index.ts";
import type { TransportData } from "../../../runtime/server-data.ts";
import { fakeRole, fakeServer, type AnyServers } from "../fake-link.ts";
import { childrenNamed } from "../harbor.ts";
import { closeDoors, type Fault, type FaultCase } from "./cases.ts";
import { fault, http, pinsOf, sse, startFault } from "../linked.ts";
import { TOOLS } from "./tools.mjs";

/** What one case of the fault table does, and what is seen of it: a word where all is well, and else what isn't. */

/** The caller's time for the call that meets the fault; where it doesn't run out, a busy machine has more of it. */
const SHORT_MS = 1_200;
const LONG_MS = 10_000;
/** For a busy machine. */
const SLACK_MS = 2_500;
/** Gently, then by force. */
const CLOSE_MS = 3_000 + SLACK_MS;

let cases = 0;

/** `ok`, the error's code, and after it everything that went wrong beside it. */
async function outcomeOf({ fault: given, ends }: FaultCase, steady: TransportData): Promise<string> {
  const timeoutMs = ends === "timeout" ? SHORT_MS : LONG_MS;
  const tag = `fault-case-${process.pid}-${(cases += 1)}`;
  const { place, leave } = await placeOf(given, tag);
  const faulty = fakeServer("faulty", pinsOf(TOOLS), { connect: [place], timeoutMs: 20_000 });
  const healthy = fakeServer("steady", pinsOf(TOOLS), { connect: [steady], timeoutMs: 20_000 });
  const tools = { echo: "allow", hang: "allow" } as const;
  const crew = team();
  const session = crew.as(
    fakeRole(
      "tester",
      [faulty, healthy].map((server) => [server, { tools }]),
    ),
  );
  const problems: string[] = [];
  const neighbour = async (): Promise<void> => {
    const { text } = await session.$call("steady", "echo", { still: "here" }, { timeoutMs: 10_000 });
    if (text !== '{"still":"here"}') problems.push(`its neighbour answered ${text}`);
  };
  const meet = async (tool: string): Promise<string> => {
    const began = performance.now();
    const ended = await endOf(session.$call("faulty", tool, {}, { timeoutMs }), problems);
    const took = performance.now() - began;
    if (took > timeoutMs + SLACK_MS) problems.push(`it took ${Math.round(took)} ms`);
    return ended;
  };
  if (given.call === 2) await session.$call("faulty", "echo", {}, { timeoutMs: 20_000 });
  await pause(given.idleMs ?? 0);
  const ending =
    given.closeAfterMs === undefined ? undefined : pause(given.closeAfterMs).then(() => closing(crew, problems));
  const [word] = await Promise.all([meet(ending ? "hang" : "echo"), ending ? undefined : neighbour()]);
  if (ending === undefined) await neighbour();
  await (ending ?? closing(crew, problems));
  await leave();
  if (!(await comesTrue(() => childrenNamed(tag).length === 0))) problems.push("a process is left");
  return [word, ...problems].join(", ");
}

interface Place {
  readonly place: TransportData;
  leave(): Promise<void>;
}

async function placeOf({ kind, config = {}, instead }: Fault, tag: string): Promise<Place> {
  const leave = async (): Promise<void> => {};
  if (instead !== undefined) return { place: await instead(tag), leave };
  if (kind === "stdio") return { place: fault({ ...config, tag }), leave };
  const { url, process: server, kill } = await startFault({ over: kind, ...config });
  const isOver = (): boolean => server.exitCode !== null || server.signalCode !== null;
  return { place: kind === "sse" ? sse(url) : http(url), leave: async () => void (isOver() || (await kill())) };
}

const CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "server-unavailable",
  "needs-auth",
  "auth-failed",
  "rate-limited",
  "timeout",
  "cancelled",
  "tool-changed",
  "tool-failed",
]);

async function endOf(call: Promise<unknown>, problems: string[]): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return "ok";
  if (!(error instanceof RolecallError)) return `not ours: ${String(error)}`;
  if (!CODES.has(error.code)) problems.push("which is no code of a server's failure");
  if (error.role !== "tester" || error.server !== "faulty") problems.push("which doesn't say whose it is");
  if (error.message.length > 2_200 || error.advice.length > 300) problems.push("which is a book");
  return error.code;
}

async function closing(crew: Team<Record<string, AnyServers>> | Team<never>, problems: string[]): Promise<void> {
  const began = performance.now();
  await crew.close();
  const took = performance.now() - began;
  if (took > CLOSE_MS) problems.push(`closing took ${Math.round(took)} ms`);
}

async function comesTrue(holds: () => boolean, times = 200): Promise<boolean> {
  for (let tries = 0; tries < times && !holds(); tries++) await pause(10);
  return holds();
}

/** Files, pipes and sockets of this process; none is seen but on Linux. */
function descriptors(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}

/** Before the cases of a file, and after them: nothing was rejected that nobody handles. */
export function watchTable(): void {
  const rejections: unknown[] = [];
  const reject = (reason: unknown): void => void rejections.push(reason);
  let restore: () => void;
  beforeAll(() => {
    restore = closeIdleSockets();
    process.on("unhandledRejection", reject);
  });
  afterEach(() => expect(rejections).toEqual([]));
  afterAll(() => {
    restore();
    process.off("unhandledRejection", reject);
  });
}

/** Sockets that have nothing to do are closed at once, so that what stays open is a leak. Gives what undoes it. */
function closeIdleSockets(): () => void {
  const PLACE = Symbol.for("undici.globalDispatcher.1");
  const places = globalThis as unknown as Record<symbol, object>;
  new Headers();
  const usual = places[PLACE]!;
  const Client = usual.constructor as new (options: object) => object;
  places[PLACE] = new Client({ keepAliveTimeout: 20, keepAliveMaxTimeout: 20 });
  return () => void (places[PLACE] = usual);
}

/** All of them, a few at a time: by their names how each ended, and what went wrong beside it. */
export async function outcomesOf(rows: readonly FaultCase[]): Promise<Record<string, string>> {
  const steady = await startFault({});
  const before = descriptors();
  const found: Record<string, string> = {};
  const left = [...rows];
  const lane = async (): Promise<void> => {
    for (let row = left.shift(); row !== undefined; row = left.shift())
      found[keyOf(row)] = await outcomeOf(row, http(steady.url));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  closeDoors();
  if (!(await comesTrue(() => descriptors() <= before, 500))) found["descriptors left"] = `${descriptors() - before}`;
  return found;
}

const AT_ONCE = 6;

export function endsOf(rows: readonly FaultCase[]): Record<string, string> {
  return Object.fromEntries(rows.map((row) => [keyOf(row), row.ends]));
}

function keyOf({ moment, name }: FaultCase): string {
  return `${moment}: ${name}`;
}

export function groupsOf(rows: readonly FaultCase[], nameOf: (row: FaultCase) => string): [string, FaultCase[]][] {
  const made = new Map<string, FaultCase[]>();
  for (const row of rows) {
    const name = nameOf(row);
    made.set(name, [...(made.get(name) ?? []), row]);
  }
  return [...made];
}
