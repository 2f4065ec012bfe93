import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { readingRecord } from "../../state/recorded.ts";
import type { RecordedRun } from "../../state/types.ts";
import { openRealPaths } from "../read/real-paths.ts";
import { openRecord } from "../read/record-lines.ts";

/** What the newest record of the project says, read anew where it has grown. */
export interface NewestRecord {
  run(): Promise<RecordedRun | undefined>;
  /** Another one when the record is another, or has grown. */
  sign(): string;
}

/** Of one folder's entries. */
const MOST_LOOKED_AT = 5_000;

/** `pattern`: as `serve: { record }` has it, with `{run}` or without. */
export function openNewestRecord(dir: string, pattern: string): NewestRecord {
  let known: { readonly sign: string; readonly run: Promise<RecordedRun | undefined> } | undefined;
  return {
    sign: () => newest(dir, pattern)?.sign ?? "",
    run() {
      const found = newest(dir, pattern);
      if (found === undefined) return Promise.resolve(undefined);
      if (known?.sign !== found.sign) known = { sign: found.sign, run: readRun(found.path, found.file) };
      return known.run;
    },
  };
}

interface FoundRecord {
  /** Relative to the project, with `/`. */
  readonly file: string;
  /** Where it really lies. */
  readonly path: string;
  readonly at: number;
  readonly sign: string;
}

/** The one that was written last; of two, always the same one. */
function newest(dir: string, pattern: string): FoundRecord | undefined {
  let best: FoundRecord | undefined;
  const paths = openRealPaths(dir);
  for (const file of matching(dir, "", pattern.split("/"))) {
    const real = paths.real(file);
    // As of every file that is read here: what a link has outside of the project is somebody else's.
    if (real.problem !== undefined || !real.inside) continue;
    const stats = statSync(real.path, { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile()) continue;
    const { mtimeMs: at, size, ino } = stats;
    if (best === undefined || at > best.at || (at === best.at && file > best.file))
      best = { file, path: real.path, at, sign: `${file} ${ino} ${size} ${at}` };
  }
  return best;
}

function* matching(dir: string, below: string, [step, ...rest]: readonly string[]): Generator<string> {
  if (step === undefined) return yield below;
  const join = (name: string): string => (below === "" ? name : `${below}/${name}`);
  if (!step.includes("{run}")) return yield* matching(dir, join(step), rest);
  const [begin = "", end = ""] = step.split("{run}");
  const fits = (name: string): boolean =>
    name.length > begin.length + end.length && name.startsWith(begin) && name.endsWith(end);
  for (const name of namesIn(path.join(dir, below)).filter(fits).slice(0, MOST_LOOKED_AT))
    yield* matching(dir, join(name), rest);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function readRun(real: string, file: string): Promise<RecordedRun | undefined> {
  try {
    const reading = readingRecord();
    for (const part of await openRecord(real, file, new Set()))
      for await (const lines of part.lines()) for (const line of lines) if (line !== undefined) reading.add(line);
    return reading.run(file);
  } catch {
    return undefined;
  }
}
