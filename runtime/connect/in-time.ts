export class TooSlow extends Error {}

/** Node fires a timer of more milliseconds at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A time that a timer can wait: 24 days are as good as for ever. What is no time at all is none. */
export function timerMs(ms: number): number {
  return Math.min(Math.max(0, ms), LONGEST_TIMER);
}

/** Rejects with TooSlow after the time, and with the signal's reason when it is aborted. The work itself goes on. */
export async function inTime<T>(
  work: Promise<T>,
  ms: number | undefined,
  late: string,
  signal?: AbortSignal,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const over = new Promise<never>((_, reject) => {
    if (ms !== undefined) timer = setTimeout(() => reject(new TooSlow(late)), timerMs(ms));
    onAbort = () => reject(signal?.reason);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener("abort", onAbort);
  }
}

/** `AbortSignal.timeout()`: whoever waits had set himself a time. Any other end of his patience says nothing of the server. */
export function isTimeOut(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason instanceof Error && signal.reason.name === "TimeoutError";
}

/** Resolves at once the first time, and then no sooner than so many milliseconds after the last: each waits for its turn. */
export function createPace(everyMs: number): (signal?: AbortSignal) => Promise<void> {
  let next = 0;
  return async (signal) => {
    const turn = Math.max(next, performance.now());
    next = turn + everyMs;
    await pause(turn - performance.now(), signal);
  };
}

/** Or until the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, timerMs(ms));
    signal?.addEventListener("abort", done);
  });
}
