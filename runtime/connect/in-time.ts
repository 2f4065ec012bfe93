export class TooSlow extends Error {}

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
    if (ms !== undefined) timer = setTimeout(() => reject(new TooSlow(late)), ms);
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

/** Aborted because the time is over, and not because somebody cancelled. */
export function isTimeOut(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason instanceof Error && signal.reason.name === "TimeoutError";
}
