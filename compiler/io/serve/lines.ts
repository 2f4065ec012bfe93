import type { Readable, Writable } from "node:stream";

/** More than any message has: what is sent without an end ends the connection. */
const LONGEST_LINE = 32 * 1024 * 1024;
const LINE_END = 10;

/** Cuts what comes in into lines. A chunk is looked through once, however long a line grows. */
export function lineCutter(line: (text: string) => void, tooLong: () => void): (chunk: Buffer) => void {
  let begun: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      const last = chunk.subarray(from, end);
      from = end + 1;
      const text = begun.length === 0 ? last.toString("utf8") : Buffer.concat([...begun, last]).toString("utf8");
      begun = [];
      size = 0;
      if (text.trim() !== "") line(text);
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > LONGEST_LINE) tooLong();
  };
}

/** What is written within one turn goes in one piece. False: it should be waited for. */
export function writeLine(output: Writable, line: string): boolean {
  if (output.writableCorked === 0) {
    output.cork();
    process.nextTick(() => output.uncork());
  }
  return output.write(`${line}\n`);
}

/** Resolves when there is room again, or nobody reads any more. */
export function written(output: Writable, line: string): Promise<void> {
  if (output.destroyed || output.writableEnded) return Promise.resolve();
  return writeLine(output, line) ? Promise.resolve() : drained(output);
}

export function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      output.off("drain", done);
      output.off("close", done);
      resolve();
    };
    output.on("drain", done);
    output.on("close", done);
  });
}

export interface Duplex {
  readonly input: Readable;
  readonly output: Writable;
}
