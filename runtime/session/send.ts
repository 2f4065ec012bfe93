import type { RateLimiter } from "../api.ts";
import { isTimeOut } from "../connect/in-time.ts";
import { linkFailure } from "../connect/failure.ts";
import { RolecallError } from "../errors.ts";
import type { LinkResult } from "../link.ts";
import { hookFailed } from "./finish.ts";
import { passRate, WAITS } from "./limits.ts";
import { refusal } from "./refusal.ts";
import { closedError, connect, downError, settle } from "./servers.ts";
import type { Entry, LiveOptions, SessionState, Trail } from "./types.ts";
import { anyOf } from "./waiting.ts";

/** From the limits to the wire, and again where that can do no harm. */
export interface Sending {
  readonly session: SessionState;
  readonly trail: Trail;
  readonly entry: Entry;
  readonly options: LiveOptions;
}

export async function send(sending: Sending): Promise<LinkResult> {
  const { server } = sending.entry;
  const waits = stoppable(sending);
  try {
    if (server.limiter !== undefined) await rateOrRefuse(sending, server.limiter, waits.signal);
    const entering = server.slots.enter(waits.signal);
    if (entering !== undefined && !(await entering)) throw stopped(sending);
    try {
      return await repeatedly(sending, waits.signal);
    } finally {
      server.slots.leave();
    }
  } finally {
    waits.release();
  }
}

/** A signal that most calls never need. */
function stoppable({ session, options }: Sending): { signal(): AbortSignal; release(): void } {
  let made: ReturnType<typeof anyOf> | undefined;
  return {
    signal: () => (made ??= anyOf([options.signal, session.closing.signal, session.team.closing.signal])).signal,
    release: () => made?.release(),
  };
}

async function rateOrRefuse(sending: Sending, limiter: RateLimiter, signal: () => AbortSignal): Promise<void> {
  const { session, trail, entry } = sending;
  const { team } = session;
  const { ratePerMinute, server } = entry.server.data;
  const outcome = await passRate({
    limiter,
    own: team.options.limiter === undefined,
    server,
    atMostMs: timeoutOf(sending),
    clock: team.clock,
    signal,
    waiting: (attempt, waitMs) => team.emit({ type: "rate-limited", server, attempt, waitMs }),
  });
  refuseStopped(sending);
  if (outcome === "passed") return;
  if ("broken" in outcome) {
    hookFailed(team, "limiter", outcome.broken);
    const words = `the limiter of server \`${server}\` gives no answer, and without it nobody may call`;
    throw refusal(session, trail, "rate-limited", words, { retryable: true });
  }
  const words = `Rate limit exceeded (rate limit of ${ratePerMinute}/min, ${server})`;
  throw refusal(session, trail, "rate-limited", words, { retryable: true, retryAfterMs: outcome.retryAfterMs });
}

function timeoutOf({ options, entry }: Sending): number {
  const { timeoutMs } = options;
  return timeoutMs !== undefined && timeoutMs > 0 ? timeoutMs : entry.server.data.timeoutMs;
}

/** All attempts share the time that one call has, and its slot. */
async function repeatedly(sending: Sending, signal: () => AbortSignal): Promise<LinkResult> {
  const { session, trail } = sending;
  const { elapsed, clock } = session.team;
  const deadline = elapsed() + timeoutOf(sending);
  for (;;) {
    try {
      return await once(sending, deadline - elapsed());
    } catch (error) {
      if (sending.options.signal?.aborted === true) throw stopped(sending);
      const pause = pauseAfter(error, sending);
      if (pause === undefined || elapsed() + pause >= deadline) throw error;
      trail.retries++;
      await clock.sleep(pause, signal());
      if (signal().aborted) throw stopped(sending);
    }
  }
}

async function once({ session, trail, entry, options }: Sending, timeoutMs: number): Promise<LinkResult> {
  const { server, link, tool } = entry;
  if (trail.retries > 0) await connect(session.team, server, link);
  refuseChanged(session, trail, entry);
  const ticket = server.breaker.enter();
  if (ticket === undefined) throw downError(server);
  try {
    trail.sent = true;
    if (!tool.readOnly) server.writes++;
    const result = await link.link.call(trail.tool, trail.args, {
      timeoutMs,
      signal: options.signal,
      meta: trail.span?.meta,
    });
    server.breaker.succeeded(ticket);
    return result;
  } catch (error) {
    if (options.signal?.aborted === true) server.breaker.left(ticket);
    else settle(session.team, server, ticket, error);
    throw error;
  } finally {
    if (!tool.readOnly) server.writes++;
  }
}

/** A tool that isn't what was pinned is closed until somebody has looked. */
export function refuseChanged(session: SessionState, trail: Trail, { link }: Entry): void {
  const change = link.link.changed(trail.tool);
  if (change !== undefined)
    throw refusal(session, trail, "tool-changed", `\`${trail.server}.${trail.tool}\` isn't what was pinned: ${change}`);
}

const MOST_RETRIES = 2;
const FIRST_PAUSE = 100;

/** How long to wait before the call is made again; undefined when it isn't. */
function pauseAfter(error: unknown, { session, trail, entry }: Sending): number | undefined {
  if (!(error instanceof RolecallError) || error.role !== "" || trail.retries >= MOST_RETRIES) return undefined;
  // While the breaker is open calls fail at once, and don't wait for it.
  if (entry.server.breaker.isOpen) return undefined;
  const { code, retryAfterMs } = error;
  if (code === "rate-limited") {
    const waitMs = retryAfterMs ?? WAITS[trail.retries]!;
    session.team.emit({ type: "rate-limited", server: trail.server, attempt: trail.retries + 1, waitMs });
    return waitMs;
  }
  if (code !== "server-unavailable" && code !== "timeout") return undefined;
  const notDone = linkFailure(error)?.unsent === true || error.retryable;
  if (!notDone && !entry.repeatable) return undefined;
  const jitter = 0.5 + Math.random();
  return Math.max(retryAfterMs ?? 0, FIRST_PAUSE * 2 ** trail.retries * jitter);
}

type Stoppable = Pick<Sending, "session" | "trail" | "options">;

/** By the caller, or because the session or the team was closed. */
export function refuseStopped(call: Stoppable): void {
  const { session, options } = call;
  const isOver = session.closing.signal.aborted || session.team.closing.signal.aborted;
  if (isOver || options.signal?.aborted === true) throw stopped(call);
}

function stopped({ session, trail, options }: Stoppable): RolecallError {
  if (options.signal?.aborted !== true) return closedError();
  const code = isTimeOut(options.signal) ? "timeout" : "cancelled";
  return refusal(session, trail, code, "the caller cancelled the call");
}
