import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Adds whole lines to a file that several processes may write, and moves a large one out of the way. */

/** In bytes; the file may become larger by what is written at once. */
const LARGEST = 10 * 1024 * 1024;
const KEPT = 5;
/** A process that died while it moved files doesn't keep the others from it for longer. */
const STALE_MS = 10_000;
const LINE_END = 10;
/** Where records usually lie. */
const FOLDER = ".runs";

export function appendLines(file: string, text: string, largest: number = LARGEST): void {
  makeFolder(dirname(file));
  const bytes = Buffer.from(text);
  const size = sizeOf(file);
  if (size > 0 && size + bytes.length > largest) rotate(file, largest - bytes.length);
  // For whoever runs the app alone: arguments of calls are in it.
  const handle = openSync(file, "a+", 0o600);
  try {
    const whole = endsWithLine(handle) ? bytes : Buffer.concat([Buffer.from("\n"), bytes]);
    // One write in the mode "append": lines of several processes don't mix.
    for (let written = 0; written < whole.length;) written += writeSync(handle, whole, written);
  } finally {
    closeSync(handle);
  }
}

/** Arguments of calls aren't for a repository: one that is made here keeps itself out. One that is there is a person's. */
function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = resolve(folder); made.length >= resolve(first).length; made = dirname(made))
    if (basename(made) === FOLDER) attempt(() => writeFileSync(join(made, ".gitignore"), "*\n", { flag: "wx" }));
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** A process that was killed while it wrote, or a full disk, leaves half a line: ours begins behind it. */
function endsWithLine(handle: number): boolean {
  const { size } = fstatSync(handle);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  return readSync(handle, last, 0, 1, size - 1) === 0 || last[0] === LINE_END;
}

/**
 * `calls.jsonl` becomes `calls.jsonl.1`; what was `.5` is gone. One process does it while the others go on writing: what
 * they write to the file that is being moved lies in `.1`, whole.
 */
function rotate(file: string, most: number): void {
  const turn = `${file}.rotating`;
  if (!takeTurn(turn)) return;
  try {
    // Another may have been here between our look and our turn.
    if (sizeOf(file) > most)
      for (let age = KEPT; age >= 1; age--) move(age === 1 ? file : `${file}.${age - 1}`, `${file}.${age}`);
  } finally {
    attempt(() => rmdirSync(turn));
  }
}

function takeTurn(turn: string): boolean {
  if (attempt(() => mkdirSync(turn))) return true;
  const since = statSync(turn, { throwIfNoEntry: false })?.mtimeMs;
  return (
    since !== undefined &&
    Date.now() - since > STALE_MS &&
    attempt(() => rmdirSync(turn)) &&
    attempt(() => mkdirSync(turn))
  );
}

function move(from: string, to: string): void {
  attempt(() => renameSync(from, to));
}

/** A record that can't be moved is written on: a large file is better than a lost line. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
