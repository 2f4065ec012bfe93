import type { RateLimiter } from "../api.ts";
import { linkFailure } from "../connect/failure.ts";
import { RolecallError } from "../errors.ts";
import type { LinkResult } from "../link.ts";
import type { Ticket } from "./breaker.ts";
import { hookFailed } from "./finish.ts";
import { passRate, WAITS, type RateOutcome } from "./limits.ts";
import { refusal } from "./refusal.ts";
import { closedError, downError, isAnswer, isFault, settle } from "./servers.ts";
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
    if (server.limiter !== undefined) {
      const outcome = await passedRate(sending, server.limiter, timeoutOf(sending), waits.signal);
      refuseStopped(sending);
      if (outcome !== "passed") throw rateRefusal(sending, outcome);
    }
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

/** Every send takes its place in the rate, one that is sent again too. */
async function passedRate(
  sending: Sending,
  limiter: RateLimiter,
  atMostMs: number,
  signal: () => AbortSignal,
): Promise<RateOutcome> {
  const { session, trail, entry } = sending;
  const { team } = session;
  const { server } = entry.server.data;
  const began = team.elapsed();
  let waited = false;
  const outcome = await passRate({
    limiter,
    own: team.options.limiter === undefined,
    server,
    atMostMs,
    clock: team.clock,
    signal,
    waiting: (attempt, waitMs) => {
      waited = true;
      team.emit({ type: "rate-limited", server, attempt, waitMs });
    },
  });
  if (waited) trail.waitedMs += team.elapsed() - began;
  if (outcome !== "passed" && "broken" in outcome) hookFailed(team, "limiter", outcome.broken);
  return outcome;
}

function rateRefusal({ session, trail, entry }: Sending, outcome: Exclude<RateOutcome, "passed">): RolecallError {
  const { ratePerMinute, server } = entry.server.data;
  if ("broken" in outcome) {
    const words = `the limiter of server \`${server}\` gives no answer, and without it nobody may call`;
    return refusal(session, trail, "rate-limited", words, { retryable: true });
  }
  const words = `Rate limit exceeded (rate limit of ${ratePerMinute}/min, ${server})`;
  return refusal(session, trail, "rate-limited", words, { retryable: true, retryAfterMs: outcome.retryAfterMs });
}

function timeoutOf({ options, entry }: Sending): number {
  const { timeoutMs } = options;
  return timeoutMs !== undefined && timeoutMs > 0 ? timeoutMs : entry.server.data.timeoutMs;
}

/** All attempts share the time that one call has, its slot, and its ticket: a call counts once. */
async function repeatedly(sending: Sending, signal: () => AbortSignal): Promise<LinkResult> {
  const { session, entry, options } = sending;
  const { server } = entry;
  const { elapsed } = session.team;
  const ticket = server.breaker.enter();
  if (ticket === undefined) throw downError(server);
  const deadline = elapsed() + timeoutOf(sending);
  let fault: unknown;
  for (;;) {
    try {
      const result = await once(sending, ticket, deadline - elapsed());
      server.breaker.answered(ticket);
      server.hostDown = undefined;
      return result;
    } catch (error) {
      if (isFault(error)) fault = error;
      const final = await finalAfter(error, sending, ticket, { deadline, signal });
      if (final === undefined) continue;
      if (options.signal?.aborted === true) server.breaker.left(ticket);
      else settle(session.team, server, ticket, isAnswer(final) ? final : (fault ?? final));
      throw final;
    }
  }
}

interface SendTime {
  readonly deadline: number;
  readonly signal: () => AbortSignal;
}

/** What the call ends with, or undefined once it may be sent again. */
async function finalAfter(
  error: unknown,
  sending: Sending,
  ticket: Ticket,
  { deadline, signal }: SendTime,
): Promise<unknown> {
  const { elapsed, clock } = sending.session.team;
  if (sending.options.signal?.aborted === true) return stopped(sending);
  // Who tries whether the server is back doesn't insist.
  const pause = ticket.trial ? undefined : pauseAfter(error, sending);
  if (pause === undefined || elapsed() + pause >= deadline) return error;
  const { trail, entry } = sending;
  const began = elapsed();
  await clock.sleep(pause, signal());
  if (error instanceof RolecallError && error.code === "rate-limited") trail.waitedMs += elapsed() - began;
  const { limiter } = entry.server;
  const outcome = limiter && (await passedRate(sending, limiter, deadline - elapsed(), signal));
  if (signal().aborted) return stopped(sending);
  // What it has failed with says more than that it may not be tried again.
  if (outcome !== undefined && outcome !== "passed") return error;
  trail.retries++;
  return undefined;
}

async function once(
  { session, trail, entry, options }: Sending,
  ticket: Ticket,
  timeoutMs: number,
): Promise<LinkResult> {
  const { server, link, tool } = entry;
  if (trail.retries > 0) {
    if (server.breaker.isOpen && !ticket.trial) throw downError(server);
    await link.link.connect();
  }
  refuseChanged(session, trail, entry);
  try {
    trail.sent = true;
    if (!tool.readOnly) server.writes++;
    return await link.link.call(trail.tool, trail.args, { timeoutMs, signal: options.signal, meta: trail.span?.meta });
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
  const failure = linkFailure(error);
  // Sent a second time by the protocol's word that nothing was done: who hears that twice isn't believed.
  if (trail.renewed && !entry.repeatable) return undefined;
  if (failure?.forgotten === true && !trail.renewed && !entry.server.breaker.isOpen) {
    trail.renewed = true;
    return 0;
  }
  const { isOpen, isLastChance } = entry.server.breaker;
  // Where the server counts as down, or does with this failure, calls fail at once.
  if (isOpen || (isLastChance && isFault(error))) return undefined;
  const { code, retryAfterMs } = error;
  if (code === "rate-limited") {
    const waitMs = retryAfterMs ?? WAITS[trail.retries]!;
    session.team.emit({ type: "rate-limited", server: trail.server, attempt: trail.retries + 1, waitMs });
    return waitMs;
  }
  if (code !== "server-unavailable" && code !== "timeout") return undefined;
  const notDone = failure?.unsent === true || error.retryable;
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
  return refusal(session, trail, "timeout", "the caller cancelled the call");
}
