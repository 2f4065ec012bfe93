import type { ErrorCode, RateLimiter } from "../api.ts";
import { isTimeOut } from "../connect/in-time.ts";
import { linkFailure } from "../connect/failure.ts";
import { inTime, TooSlow } from "../connect/in-time.ts";
import { RolecallError } from "../errors.ts";
import type { Link, LinkResult } from "../link.ts";
import type { Ticket } from "./breaker.ts";
import { shown } from "./degradation.ts";
import { hookFailed } from "./finish.ts";
import { passRate, WAITS, type RateOutcome } from "./limits.ts";
import { mayRepeat, refusal } from "./refusal.ts";
import { closedError, downError, isAnswer, isFault, settle, unsettle } from "./servers.ts";
import type { Entry, LiveOptions, SessionState, Trail } from "./types.ts";
import { anyOf, LONGEST_TIMER_MS } from "./waiting.ts";

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
      const outcome = await passedRate(sending, server.limiter, leftOf(sending) ?? server.data.timeoutMs, waits.signal);
      // A limiter that says nothing is the reason, whoever's time is over by it.
      if (isClosed(sending.session) || isCancelled(sending)) throw stopped(sending);
      if (outcome !== "passed" && "broken" in outcome) throw rateRefusal(sending, outcome);
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
  const isOver = isClosed(session) || isCancelled(sending);
  if (outcome !== "passed" && "broken" in outcome && !isOver) hookFailed(team, "limiter", outcome.broken);
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

/** Of the caller's time, where he gave one. */
function leftOf({ session, trail }: Sending): number | undefined {
  return trail.deadline && trail.deadline.at - session.team.elapsed();
}

/** Of a server's time what a call must have had for its silence to say something of the server. */
const MOST_OF_IT = 0.9;

/** All attempts share the time that one call has, its slot, and its ticket: a call counts once. */
async function repeatedly(sending: Sending, signal: () => AbortSignal): Promise<LinkResult> {
  const { session, trail, entry } = sending;
  const { server } = entry;
  const { elapsed } = session.team;
  const left = leftOf(sending) ?? Infinity;
  const timeoutMs = Math.min(left, server.data.timeoutMs);
  const ticket = server.breaker.enter();
  if (ticket === undefined) throw downError(server);
  const time = { deadline: elapsed() + timeoutMs, isCallers: left === timeoutMs, signal };
  let fault: unknown;
  for (;;) {
    try {
      const result = await once(sending, ticket, time.deadline - elapsed());
      server.breaker.answered(ticket);
      server.hostDown = undefined;
      return result;
    } catch (error) {
      const isHurry = isLate(error) && timeoutMs < server.data.timeoutMs * MOST_OF_IT;
      if (isFault(error) && !isHurry) fault = error;
      const final = await finalAfter(error, sending, ticket, time);
      if (final === undefined) continue;
      if (isLate(error) && !isHurry && !isCancelled(sending)) trail.hurried = false;
      const verdict = isAnswer(final) ? final : fault;
      const isOurs = !isAnswer(final) && (isCancelled(sending) || isEnded(sending));
      if (verdict === undefined || isOurs) server.breaker.left(ticket);
      else settle(session.team, server, ticket, verdict);
      throw final;
    }
  }
}

/** By the caller, and not by the time that he gave. */
function isCancelled({ trail, options }: Sending): boolean {
  return options.signal?.aborted === true && trail.deadline?.over !== true;
}

/** The connection, with the session or the team that it was of. */
function isEnded({ session: { closing, team }, entry }: Sending): boolean {
  return team.closing.signal.aborted || (closing.signal.aborted && entry.server.data.connection === "session");
}

function isLate(error: unknown): boolean {
  return error instanceof RolecallError && error.code === "timeout";
}

/** The shorter of what is left of the caller's time and the server's own. */
interface SendTime {
  readonly deadline: number;
  readonly isCallers: boolean;
  readonly signal: () => AbortSignal;
}

/** What the call ends with, or undefined once it may be sent again. */
async function finalAfter(
  error: unknown,
  sending: Sending,
  ticket: Ticket,
  { deadline, isCallers, signal }: SendTime,
): Promise<unknown> {
  const { session, trail, entry, options } = sending;
  const { elapsed, clock } = session.team;
  const late = isLate(error) && isCallers;
  // What was answered is so, whoever gave up in that moment.
  if (options.signal?.aborted === true) return isAnswer(error) ? error : stopped(sending, late);
  if (late) return stopped(sending, late);
  if (isFault(error) && isEnded(sending)) return closedError();
  // Who tries whether the server is back doesn't insist.
  const pause = ticket.trial ? undefined : pauseAfter(error, sending);
  if (pause === undefined || elapsed() + pause >= deadline) return error;
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
    await connectAgain(link.link, timeoutMs, options.signal);
  }
  refuseChanged(session, trail, entry);
  try {
    trail.sent = true;
    if (!tool.readOnly) server.writes++;
    const how = {
      timeoutMs: Math.min(Math.ceil(timeoutMs), LONGEST_TIMER_MS),
      signal: options.signal,
      meta: trail.span?.meta ?? options.meta,
      progress: options.progress,
    };
    return entry.method === undefined
      ? await link.link.call(trail.tool, trail.args, how)
      : await link.link.ask(entry.method, trail.args, how);
  } catch (error) {
    if (!tool.readOnly && mayStillBeDone(error)) unsettle(session.team, server);
    throw error;
  } finally {
    if (!tool.readOnly) server.writes++;
  }
}

function mayStillBeDone(error: unknown): boolean {
  if (!(error instanceof RolecallError)) return true;
  return NO_ANSWER.has(error.code) && linkFailure(error)?.unsent !== true;
}

const NO_ANSWER: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["timeout", "cancelled", "server-unavailable"]);

/** Within what is left for the call; the attempt goes on for those that come later. */
async function connectAgain(link: Link, timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await inTime(link.connect(), Math.min(timeoutMs, LONGEST_TIMER_MS), "it wasn't connected again in time", signal);
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error;
    throw new RolecallError("timeout", error.message, { server: link.server.server });
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
  const isForgotten = failure?.forgotten === true && (failure.httpStatus === 404 || entry.repeatable);
  if (isForgotten && !trail.renewed && !entry.server.breaker.isOpen) {
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

/** By the caller, because his time is over, or because the session or the team was closed. */
export function refuseStopped(call: Stoppable): void {
  const { session, trail, options } = call;
  const isOver = trail.deadline?.over === true || options.signal?.aborted === true;
  if (isOver || isClosed(session)) throw stopped(call);
}

/** `isLate`: what was sent had no answer in its time, which may end a moment before the call's own is told. */
export function stopped({ session, trail, options }: Stoppable, isLate: boolean = false): RolecallError {
  const { deadline } = trail;
  if (deadline !== undefined && (deadline.over || (isLate && options.signal?.aborted !== true))) {
    trail.hurried = true;
    const words = `${shown(trail.server)}.${shown(trail.tool)} gave no answer within ${Math.ceil(deadline.ms)} ms`;
    return refusal(session, trail, "timeout", words, { retryable: mayRepeat(trail) });
  }
  if (options.signal?.aborted !== true) return closedError();
  // It says nothing of the server: what to do without it isn't the advice.
  if (!isTimeOut(options.signal))
    return refusal(session, trail, "cancelled", "the caller cancelled the call", { whenDown: undefined });
  trail.hurried = true;
  const words = `${shown(trail.server)}.${shown(trail.tool)} gave no answer within the time of its caller's signal`;
  return refusal(session, trail, "timeout", words, { whenDown: undefined, retryable: mayRepeat(trail) });
}

function isClosed({ closing, team }: SessionState): boolean {
  return closing.signal.aborted || team.closing.signal.aborted;
}
