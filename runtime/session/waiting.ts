import { setMaxListeners } from "node:events";
import type { Clock } from "../api.ts";
import { inTime, timerMs } from "../connect/in-time.ts";

/** Time, and waits that can be cut short. */

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, timerMs(ms));
      signal?.addEventListener("abort", done, { once: true });
      if (signal?.aborted === true) done();
    }),
};

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
export async function cutShort(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  try {
    await (signal === undefined ? work : inTime(work, undefined, "", signal));
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}
