import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { ErrorCode, RateLimiter, RuntimeEvent } from "../api.ts";
import { linkFailure } from "../connect/failure.ts";
import { RolecallError } from "../errors.ts";
import type { ServerData } from "../server-data.ts";
import { createBreaker, type Ticket } from "./breaker.ts";
import { refuseInPlaceOfFake, withFake } from "./fakes.ts";
import { createSlots, memoryLimiter } from "./limits.ts";
import { secretNames, wordNames } from "../secrets.ts";
import type { Equipment, LastFailure, LinkUse, Loader, ServerUse, SessionState, TeamState, Used } from "./types.ts";

/** The servers of a team: each has its data, limits and breaker once, however many roles and sessions use it. */

/** Imports the server's data; nothing is connected. */
export function loadServer(team: TeamState, name: string, load: Loader | undefined): Promise<ServerUse> {
  if (load === undefined)
    return Promise.reject(
      new RolecallError("server-unavailable", `nothing is known of server \`${name}\`: build again`),
    );
  const known = team.loading.get(load);
  if (known !== undefined) return known;
  const loading = useOf(team, load).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new RolecallError("server-unavailable", `what is known of server \`${name}\` can't be loaded: ${why}`);
  });
  team.loading.set(load, loading);
  loading.catch(() => team.loading.delete(load));
  return loading;
}

async function useOf(team: TeamState, load: Loader): Promise<ServerUse> {
  const [{ data }, equipment] = await Promise.all([load(), team.equipment()]);
  const use = team.servers.get(data) ?? serverUse(team, JSON.parse(data) as ServerData, equipment);
  team.servers.set(data, use);
  team.loaded.set(load, use);
  return use;
}

/** Before the first connection, where nobody has to be asked: a refused call may hold a value too. */
function learnSecrets({ options, env, secrets, root }: TeamState, data: ServerData): void {
  if (typeof options.env === "function") return;
  const valuesOf = (names: readonly string[]): string[] => names.map((name) => env(name)).filter(isText);
  for (const value of valuesOf(secretNames(data))) secrets.add(value);
  for (const entry of data.connect) {
    if (entry.kind !== "stdio") continue;
    const folder = resolve(root, ...(entry.cwd ?? []).filter(isText));
    for (const value of valuesOf(wordNames(entry, data.acceptedNames)))
      if (!existsSync(resolve(folder, value))) secrets.add(value);
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function serverUse(team: TeamState, written: ServerData, equipment: Equipment): ServerUse {
  learnSecrets(team, written);
  const data = withFake(team, written);
  const use: ServerUse = {
    data,
    equipment,
    tools: new Map(Object.entries(data.tools)),
    notHeld: new Set(data.notHeld),
    breaker: createBreaker(data.breaker, team.elapsed, (state) =>
      team.emit(
        state === "up"
          ? { type: "up", server: data.server }
          : { type: "down", server: data.server, why: use.lastFailure?.said ?? "", retryInMs: data.breaker.cooldownMs },
      ),
    ),
    limiter: limiterFor(team, data),
    slots: createSlots(data.concurrency),
    links: new Set(),
    writes: 0,
    unsettledUntil: 0,
    lastFailure: undefined,
    hostDown: undefined,
  };
  return use;
}

function limiterFor(team: TeamState, { server, ratePerMinute }: ServerData): RateLimiter | undefined {
  if (ratePerMinute === undefined) return undefined;
  const { limiter } = team.options;
  if (limiter === undefined) return memoryLimiter(ratePerMinute, team.elapsed);
  return typeof limiter === "function" ? limiter(server, ratePerMinute) : limiter;
}

/** The server as this session reaches it; nothing is connected yet. */
export async function useServer(session: SessionState, name: string): Promise<Used> {
  const known = session.used.get(name);
  if (known !== undefined) return known;
  const use = await loadServer(session.team, name, session.role.servers.get(name)?.load);
  if (session.closing.signal.aborted || session.team.closing.signal.aborted) throw closedError();
  const used = session.used.get(name) ?? { use, link: linkTo(session.team, use) };
  session.used.set(name, used);
  return used;
}

export function closedError(): RolecallError {
  return new RolecallError("server-unavailable", "the session is closed");
}

/** What there is of it so far: nothing is loaded or opened. */
export function knownServer(
  { team, role, used }: SessionState,
  name: string,
): { readonly use: ServerUse | undefined; readonly link: LinkUse | undefined } {
  const own = used.get(name);
  if (own !== undefined) return own;
  const load = role.servers.get(name)?.load;
  const use = load && team.loaded.get(load);
  return { use, link: use && sharedLink(use) };
}

function sharedLink(use: ServerUse): LinkUse | undefined {
  return use.data.connection === "project" ? use.links.values().next().value : undefined;
}

function linkTo(team: TeamState, use: ServerUse): LinkUse {
  const link = sharedLink(use) ?? open(team, use);
  use.links.add(link);
  return link;
}

/** Ends the session's own connections; those of the team stay. */
export async function closeOwnLinks({ team, used }: SessionState): Promise<void> {
  const own = [...used.values()].filter(({ use }) => use.data.connection === "session");
  for (const { use, link } of own) use.links.delete(link);
  await Promise.allSettled(own.map(({ use, link }) => closeLink(team, use, link)));
}

export async function closeLink(team: TeamState, use: ServerUse, opened: LinkUse): Promise<void> {
  await opened.link.close();
  connectionOver(team, use, opened, undefined);
}

function open(team: TeamState, use: ServerUse): LinkUse {
  refuseInPlaceOfFake(team, use.data.server);
  const { env, root, clock, secrets } = team;
  const on = (event: RuntimeEvent): void => {
    if (STATES.has(event.type)) {
      opened.since = clock.now();
      opened.root = undefined;
    }
    if (event.type === "connected" && link.info !== undefined) opened.up = { info: link.info, started: team.elapsed() };
    if (event.type === "down") connectionOver(team, use, opened, "server-unavailable");
    team.emit(event);
  };
  const lost = (why: string): void => {
    use.lastFailure = inOneText(causeIn(secrets.text(why), use.data.server));
    use.breaker.lost();
  };
  const link = use.equipment.openLink(use.data, { env, root, clock, on, lost, secrets });
  const opened: LinkUse = { link, since: clock.now(), up: undefined, root: undefined };
  return opened;
}

const STATES: ReadonlySet<RuntimeEvent["type"]> = new Set<RuntimeEvent["type"]>(["connected", "down", "up"]);

function connectionOver(team: TeamState, use: ServerUse, opened: LinkUse, error: string | undefined): void {
  const { up } = opened;
  opened.up = undefined;
  if (up === undefined) return;
  const durationMs = team.elapsed() - up.started;
  const { protocolVersion } = up.info;
  const info = { ...up.info, protocolVersion: protocolVersion && team.secrets.text(protocolVersion) };
  use.equipment.telemetry?.sessionEnded({ server: use.data.server, info, error, durationMs });
}

/** Connected, or a reason at once when the breaker keeps everybody away. */
export async function connect(team: TeamState, use: ServerUse, { link }: LinkUse): Promise<void> {
  if (use.breaker.closedFor() !== undefined) throw downError(use);
  if (link.state === "up") return void (await link.connect());
  const ticket = use.breaker.enter();
  if (ticket === undefined) throw downError(use);
  try {
    await link.connect();
    use.breaker.left(ticket);
  } catch (error) {
    settle(team, use, ticket, error);
    throw error;
  }
}

/** Milliseconds until the next try makes sense, as errors, advice and health all say it. */
export function waitOf(use: ServerUse, link: LinkUse | undefined): number {
  return Math.ceil(Math.max(use.breaker.closedFor() ?? 0, link?.link.waitMs ?? 0));
}

/**
 * The same for calls that a host makes: it is kept away for the pause of the breaker after one connection that failed.
 * `host`: its session; of any of them where it is left out.
 */
export function hostWaitOf(team: TeamState, use: ServerUse, host?: SessionState): number | undefined {
  const closed = use.breaker.closedFor();
  const until = host === undefined ? use.hostDown?.until : use.hostDown?.hosts.get(host);
  const left = (until ?? 0) - team.elapsed();
  if (closed === undefined && left <= 0) return undefined;
  return Math.ceil(Math.max(closed ?? 0, left));
}

/** Of a write without an answer nobody knows when it is done: what is read before that is old then. */
export function unsettle(team: TeamState, use: ServerUse): void {
  use.unsettledUntil = team.elapsed() + UNSETTLED_MS;
}

const UNSETTLED_MS = 5 * 60_000;

/** A host is let call, or has called, what isn't known to be read-only. Of a call that it was let make it may tell no end. */
export function hostWrites(team: TeamState, use: ServerUse, tool: string, isOver: boolean): void {
  if (use.tools.get(tool)?.readOnly === true) return;
  use.writes++;
  if (!isOver) unsettle(team, use);
}

/** A host's call was answered. */
export function hostAnswered(team: TeamState, use: ServerUse, ticket: Ticket): void {
  const wasDown = use.hostDown !== undefined && !use.breaker.isOpen;
  use.hostDown = undefined;
  use.breaker.answered(ticket);
  if (wasDown) team.emit({ type: "up", server: use.data.server });
}

/** A host's call has failed: a fault of the connection counts as one failure, and any other counts nothing. */
export function hostFailed(
  host: SessionState,
  use: ServerUse,
  ticket: Ticket,
  { code, ...failure }: LastFailure & { readonly code: ErrorCode },
): void {
  const { team } = host;
  const isDown = code === "server-unavailable" || code === "timeout";
  if (!isDown && code !== "needs-auth") return;
  const { server, breaker } = use.data;
  const retryInMs = isDown ? breaker.cooldownMs : 0;
  const isNews = hostWaitOf(team, use) === undefined;
  const until = team.elapsed() + retryInMs;
  const hosts = use.hostDown?.hosts ?? new WeakMap<SessionState, number>();
  use.lastFailure = failure;
  use.hostDown = { since: team.clock.now(), until, hosts: hosts.set(host, until) };
  if (isDown) use.breaker.failed(ticket);
  // Of a door that closes the breaker says it.
  if (isNews && !use.breaker.isOpen) team.emit({ type: "down", server, why: failure.said, retryInMs });
}

/** Where it stands a server is down: that it can't be reached needn't be said again. */
function causeIn(message: string, server: string): string {
  const unreachable = `${server} can't be reached: `;
  return message.startsWith(unreachable) ? message.slice(unreachable.length) : message;
}

/** Of a failure of ours, whose message is in words of ours. */
function inOneText(message: string): LastFailure {
  return { said: message, why: message };
}

export function whyDown({ data: { server }, lastFailure }: ServerUse): string {
  return `server \`${server}\` is down${lastFailure === undefined ? "" : `: ${lastFailure.why}`}`;
}

export function downError(use: ServerUse): RolecallError {
  return new RolecallError("server-unavailable", whyDown(use), {
    retryAfterMs: use.breaker.closedFor(),
    retryable: true,
  });
}

/** How a call or a connection that failed ends for the breaker. */
export function settle(team: TeamState, use: ServerUse, ticket: Ticket, error: unknown): void {
  if (isAnswer(error)) return use.breaker.answered(ticket);
  if (!isFault(error)) return use.breaker.left(ticket);
  use.lastFailure = inOneText(causeIn(team.secrets.text(error.message), use.data.server));
  use.breaker.failed(ticket);
}

/** It tells that the server isn't there: no refusal, no 401, no error of a tool. */
export function isFault(error: unknown): error is RolecallError {
  if (!(error instanceof RolecallError)) return false;
  if (error.code !== "server-unavailable" && error.code !== "timeout") return false;
  return linkFailure(error)?.waiting !== true;
}

/** The server is there, and its tool has failed. */
export function isAnswer(error: unknown): boolean {
  return error instanceof RolecallError && error.code === "tool-failed";
}
