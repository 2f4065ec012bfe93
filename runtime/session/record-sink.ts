import type { RecordLine, RecordSink, ReportLine } from "../api.ts";
import { inTime } from "../connect/in-time.ts";

/** Characters of lines that wait for a slow sink. */
const MOST_QUEUED = 8_000_000;
/** For the lines that wait, and for `flush`, together. */
const LONGEST_CLOSE_MS = 5_000;

/**
 * Lines for a sink of the app's, one after the other: the next is given once the one before was taken, or failed. A line
 * that failed isn't given again, since it may be there all the same.
 */
export function sinkRecorder(
  sink: RecordSink,
  failed: (error: unknown) => void,
): { write(line: RecordLine): void; report(line: ReportLine): void; close(): Promise<void> } {
  const queue: { readonly give: () => unknown; readonly size: number }[] = [];
  let size = 0;
  let isClosed = false;
  let isBroken = false;
  let isBehind = false;
  let working: Promise<void> | undefined;
  const fail = (error: unknown): void => {
    if (!isBroken) failed(error);
    isBroken = true;
  };
  const attempt = async (step: () => unknown): Promise<void> => {
    try {
      await step();
      isBroken = false;
    } catch (error) {
      fail(error);
    }
  };
  const work = async (): Promise<void> => {
    do {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        size -= next.size;
        await attempt(next.give);
      }
      isBehind = false;
      if (isClosed) await attempt(() => sink.flush?.());
    } while (queue.length > 0);
    working = undefined;
  };
  const forgetOldest = (): void => {
    if (size <= MOST_QUEUED) return;
    if (!isBehind) failed(new Error("it takes lines more slowly than they come: the oldest that wait are lost"));
    isBehind = true;
    while (size > MOST_QUEUED) size -= queue.shift()!.size;
  };
  const add = (line: RecordLine | ReportLine, give: () => unknown): void => {
    const one = { give, size: JSON.stringify(line).length };
    queue.push(one);
    size += one.size;
    if (working === undefined) working = work();
    else forgetOldest();
  };
  return {
    write: (line) => add(line, () => sink.write(line)),
    report(line) {
      if (sink.report !== undefined) add(line, () => sink.report?.(line));
    },
    async close() {
      isClosed = true;
      const late = `it hasn't finished ${LONGEST_CLOSE_MS / 1000} s after the end`;
      await inTime((working ??= work()), LONGEST_CLOSE_MS, late).catch(fail);
    },
  };
}
