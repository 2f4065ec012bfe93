import type { Clock, RateLimiter } from "../api.ts";

/** How often and how many at once: per server and team, whichever role or session calls. */

/** In any minute at most that many, whenever the minute begins. */
export function memoryLimiter(ratePerMinute: number, now: () => number): RateLimiter {
  const passed: number[] = [];
  let next = 0;
  return {
    consume() {
      const oldest = passed[next];
      const left = oldest === undefined ? 0 : oldest + MINUTE - now();
      // What limiters reject with is a result and no error: rate-limiter-flexible's shape.
      if (left > 0)
        return new Promise((_, reject: (reason: { msBeforeNext: number }) => void) => reject({ msBeforeNext: left }));
      passed[next] = now();
      next = (next + 1) % ratePerMinute;
      return Promise.resolve();
    },
  };
}

const MINUTE = 60_000;
/** Three tries: these waits lie between them. */
export const WAITS: readonly number[] = [1_000, 2_000];

export interface RateWait {
  readonly limiter: RateLimiter;
  readonly server: string;
  readonly atMostMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  waiting(attempt: number, waitMs: number): void;
}

export type RateOutcome = "passed" | { readonly retryAfterMs: number | undefined };

export async function passRate({ limiter, server, atMostMs, clock, signal, waiting }: RateWait): Promise<RateOutcome> {
  let waited = 0;
  for (let attempt = 0; ; attempt++) {
    const until = await timeLeft(limiter, server);
    if (until === undefined) return "passed";
    const wait = WAITS[attempt];
    // A limiter that is broken lets nobody through, and waiting doesn't mend it.
    if (Number.isNaN(until)) return { retryAfterMs: undefined };
    if (wait === undefined || waited + wait > atMostMs || signal.aborted) return { retryAfterMs: until };
    waiting(attempt + 1, wait);
    await clock.sleep(wait, signal);
    waited += wait;
  }
}

/** Undefined: none, and the call is counted. NaN: nobody knows. */
async function timeLeft(limiter: RateLimiter, server: string): Promise<number | undefined> {
  try {
    await limiter.consume(server, 1);
    return undefined;
  } catch (reason) {
    const left = typeof reason === "object" && reason !== null && "msBeforeNext" in reason ? reason.msBeforeNext : NaN;
    return typeof left === "number" ? Math.max(0, Math.ceil(left)) : NaN;
  }
}

export interface Slots {
  /** Undefined: it has its slot. Otherwise resolves true with it, or false when the signal came first. */
  enter(signal: () => AbortSignal): Promise<boolean> | undefined;
  leave(): void;
}

export function createSlots(most: number | undefined): Slots {
  let used = 0;
  const queue: (() => void)[] = [];
  return {
    enter(signal) {
      if (most === undefined || used < most) {
        used++;
        return undefined;
      }
      return queued(queue, signal());
    },
    leave() {
      const next = queue.shift();
      if (next === undefined) used--;
      else next();
    },
  };
}

function queued(queue: (() => void)[], signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const taken = (): void => {
      signal.removeEventListener("abort", given);
      resolve(true);
    };
    const given = (): void => {
      const at = queue.indexOf(taken);
      if (at >= 0) queue.splice(at, 1);
      resolve(false);
    };
    queue.push(taken);
    signal.addEventListener("abort", given, { once: true });
    if (signal.aborted) given();
  });
}
