import { setMaxListeners } from "node:events";
import type { Clock } from "../api.ts";
import { inTime, pause } from "../connect/in-time.ts";
import type { CallDeadline, LiveOptions } from "./types.ts";

/** Time, and waits that can be cut short. */

export const systemClock: Clock = { now: () => Date.now(), sleep: pause };

/** One signal may end any number of calls: Node would take their listeners for a leak, and say so on standard error. */
export function sharedByMany(signal: AbortSignal): void {
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
}

export function endOfMany(): AbortController {
  const end = new AbortController();
  sharedByMany(end.signal);
  return end;
}

/** Aborts when one of them does. `release` when the wait is over: the given signals may live long. */
export function anyOf(signals: readonly (AbortSignal | undefined)[]): { signal: AbortSignal; release(): void } {
  const either = new AbortController();
  const abort = (): void => either.abort();
  for (const signal of signals) {
    if (signal?.aborted === true) abort();
    signal?.addEventListener("abort", abort, { once: true });
  }
  return {
    signal: either.signal,
    release: () => signals.forEach((signal) => signal?.removeEventListener("abort", abort)),
  };
}

/** Waits no longer than the signal; what was begun goes on. The caller looks which of the two it was. */
export async function cutShort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | undefined> {
  try {
    return await (signal === undefined ? work : inTime(work, undefined, "", signal));
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    return undefined;
  }
}

/** What timers can hold: a longer time would be over at once. */
export const LONGEST_TIMER_MS: number = 2 ** 31 - 1;

/** Of the time that a caller gives, from the first step on. Throws where it is none: a slip must not be no limit. */
export function deadlineOf(timeoutMs: unknown, started: number): CallDeadline | undefined {
  if (timeoutMs === undefined) return undefined;
  if (typeof timeoutMs !== "number" || Number.isNaN(timeoutMs))
    throw new TypeError(
      "`timeoutMs` of a call is a number of milliseconds; leave it out for no limit but the server's",
    );
  return { ms: Math.max(0, timeoutMs), at: started + timeoutMs, over: timeoutMs <= 0 };
}

/** One deadline for everything that the work may wait for: connecting, a person, the rate, a slot, the server. */
export async function inCallersTime<T>(
  deadline: CallDeadline,
  { signal: given, ...others }: LiveOptions,
  work: (options: LiveOptions) => Promise<T>,
): Promise<T> {
  const { signal, release } = startDeadline(deadline, given);
  try {
    return await work({ ...others, signal });
  } finally {
    release();
  }
}

/** Aborts with the given signal, and when the time is over. `release` when the call is. */
function startDeadline(
  deadline: CallDeadline,
  given: AbortSignal | undefined,
): { readonly signal: AbortSignal; release(): void } {
  const either = endOfMany();
  const stop = (): void => either.abort(given?.reason);
  const end = (): void => {
    if (either.signal.aborted) return;
    deadline.over = true;
    either.abort(Object.assign(new Error("the time is over"), { name: "TimeoutError" }));
  };
  const timer = setTimeout(end, Math.min(deadline.ms, LONGEST_TIMER_MS));
  if (given?.aborted === true) stop();
  else if (deadline.over) end();
  given?.addEventListener("abort", stop, { once: true });
  return {
    signal: either.signal,
    release: () => {
      clearTimeout(timer);
      given?.removeEventListener("abort", stop);
    },
  };
}
