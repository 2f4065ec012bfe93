import type { Readable, Writable } from "node:stream";

/** More than any message has: what is sent without an end ends the connection. */
export const LONGEST_LINE = 32 * 1024 * 1024;
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

/** The same for who passes lines on: `passes` looks at each, and what it lets through goes in as few pieces as it came. */
export function linePasser(
  passes: (line: Buffer) => boolean,
  pass: (lines: Buffer) => void,
  tooLong: () => void,
): (chunk: Buffer) => void {
  let begun: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    const end = chunk.lastIndexOf(LINE_END) + 1;
    if (end > 0) {
      const first = chunk.subarray(0, end);
      const lines = begun.length === 0 ? first : Buffer.concat([...begun, first]);
      begun = [];
      size = 0;
      let from = 0;
      let passed = 0;
      for (let at = lines.indexOf(LINE_END); at !== -1; at = lines.indexOf(LINE_END, from)) {
        if (at - from > LONGEST_LINE) return tooLong();
        const isPassed = passes(lines.subarray(from, at));
        if (!isPassed && passed < from) pass(lines.subarray(passed, from));
        from = at + 1;
        if (!isPassed) passed = from;
      }
      if (passed < lines.length) pass(lines.subarray(passed));
    }
    if (end < chunk.length) begun.push(chunk.subarray(end));
    size += chunk.length - end;
    if (size > LONGEST_LINE) tooLong();
  };
}

/** What is to be written at the end of this turn: each output has its own. */
const TURN = Symbol("turn");

interface WrittenInTurns extends Writable {
  [TURN]?: { lines: string[]; length: number };
}

/** What is written within one turn goes in one piece: each piece wakes its reader. False: it should be waited for. */
export function writeLine(output: WrittenInTurns, line: string): boolean {
  const turn = (output[TURN] ??= { lines: [], length: 0 });
  if (turn.lines.length === 0) process.nextTick(writeTurn, output);
  turn.lines.push(line);
  turn.length += line.length + 1;
  // Characters are no more than bytes: when it says so, the stream will say it too, and tell when there is room.
  return output.writableLength + turn.length < output.writableHighWaterMark;
}

function writeTurn(output: WrittenInTurns): void {
  const { lines } = output[TURN]!;
  output[TURN] = { lines: [], length: 0 };
  output.write(`${lines.join("\n")}\n`);
}

/** Resolves when there is room again, or nobody reads any more. */
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

/** Resolves when all that was said is written or nobody can read it any more; false: after so long it still isn't. */
export function written(output: Writable, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), withinMs);
    const done = (): void => {
      clearTimeout(late);
      resolve(true);
    };
    // Behind what is written at the end of this turn.
    process.nextTick(() => output.write("", done));
  });
}

export interface Duplex {
  readonly input: Readable;
  readonly output: Writable;
}
