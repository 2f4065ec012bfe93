import type { Clock, RateLimiter } from "../api.ts";
import { inTime } from "../connect/in-time.ts";

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
  /** It is the one in memory, which always answers. */
  readonly own: boolean;
  readonly server: string;
  readonly atMostMs: number;
  readonly clock: Clock;
  readonly signal: () => AbortSignal;
  waiting(attempt: number, waitMs: number): void;
}

export type RateOutcome = "passed" | { readonly retryAfterMs: number } | { readonly broken: unknown };

/** A limiter that is broken, or gives no answer in time, lets nobody through, and waiting doesn't mend it. */
export async function passRate(waits: RateWait): Promise<RateOutcome> {
  const { atMostMs, signal } = waits;
  let waited = 0;
  for (let attempt = 0; ; attempt++) {
    const answer = await answerInTime(waits, atMostMs - waited);
    if (answer === "passed" || "broken" in answer) return answer;
    const wait = WAITS[attempt];
    if (wait === undefined || waited + wait > atMostMs || signal().aborted) return answer;
    waits.waiting(attempt + 1, wait);
    await waits.clock.sleep(wait, signal());
    waited += wait;
  }
}

/** A store that is gone may leave a limiter waiting for ever. */
async function answerInTime(waits: RateWait, atMostMs: number): Promise<RateOutcome> {
  const answer = answerOf(waits.limiter, waits.server);
  if (waits.own) return await answer;
  try {
    return await inTime(answer, atMostMs, `no answer within ${atMostMs} ms`, waits.signal());
  } catch (error) {
    return { broken: error };
  }
}

async function answerOf(limiter: RateLimiter, server: string): Promise<RateOutcome> {
  try {
    await limiter.consume(server, 1);
    return "passed";
  } catch (reason) {
    const retryAfterMs = timeLeft(reason);
    return retryAfterMs === undefined ? { broken: reason } : { retryAfterMs };
  }
}

/** What limiters reject with when a call may not go; a union of them rejects with the answer of each, by its prefix. */
function timeLeft(reason: unknown): number | undefined {
  if (typeof reason !== "object" || reason === null || reason instanceof Error) return undefined;
  if ("msBeforeNext" in reason)
    return typeof reason.msBeforeNext === "number" ? Math.max(0, Math.ceil(reason.msBeforeNext)) : undefined;
  const each = Object.values(reason).map(timeLeft);
  return each.length === 0 || each.includes(undefined) ? undefined : Math.max(...(each as number[]));
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
