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

/** Resolves at once the first time, and then no sooner than so many milliseconds after the last. */
export function createPace(everyMs: number): () => Promise<void> {
  let next = 0;
  return async () => {
    const wait = next - performance.now();
    if (wait > 0) await new Promise<void>((resolve) => setTimeout(resolve, wait));
    next = performance.now() + everyMs;
  };
}
