import { readdirSync, statSync, type Dirent } from "node:fs";
import path from "node:path";
import { visible } from "../../base/visible.ts";
import { openRecord, standardInput, type RecordPart } from "./record-lines.ts";

/** Where apps put their records, by the examples of this project and of others: `.runs/<run>/calls.jsonl` and the like. */
const RECORDS = ".runs";
const NAME = /calls\.jsonl$/;
const DEEPEST = 4;
const MOST_FOLDERS = 10_000;

/** Why there is nothing to read, and the next step. */
export interface NoRecord {
  readonly problem: string;
  readonly next: string;
}

export const HOW_TO_RECORD = 'an app writes one with team({ record: ".runs/{run}/calls.jsonl" })';

/** `files`: as written on a command line, relative to `cwd`; `-` is standard input. None: the newest record of the project. */
export async function openRecords(
  files: readonly string[],
  { dir, cwd }: { readonly dir: string; readonly cwd: string },
): Promise<readonly RecordPart[] | NoRecord> {
  if (files.length === 0) {
    const found = newestRecord(path.join(dir, RECORDS));
    if (found !== undefined) return openOne(found, shortName(found, cwd), new Set());
    return {
      problem: `no file below ${RECORDS}/ ends in calls.jsonl`,
      next: `name the record: rolecall calls FILE; ${HOW_TO_RECORD}`,
    };
  }
  const known = new Set<string>();
  const parts: RecordPart[] = [];
  for (const file of new Set(files)) {
    const opened = file === "-" ? [standardInput()] : await openOne(path.resolve(cwd, file), file, known);
    if ("problem" in opened) return opened;
    parts.push(...opened);
  }
  return parts;
}

/** A folder stands for its newest record. */
async function openOne(file: string, name: string, known: Set<string>): Promise<readonly RecordPart[] | NoRecord> {
  try {
    return await openRecord(file, name, known);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "an error";
    if (code !== "EISDIR")
      return {
        problem: `\`${visible(name)}\` can't be read: ${WHY[code] ?? `the system answers ${code}`}`,
        next: HOW_TO_RECORD,
      };
    const newest = newestRecord(file);
    if (newest !== undefined) return openOne(newest, path.join(name, path.relative(file, newest)), known);
    return { problem: `no file in \`${visible(name)}\` ends in calls.jsonl`, next: "name the file itself" };
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "the system doesn't allow it",
  EPERM: "the system doesn't allow it",
};

function shortName(file: string, cwd: string): string {
  const below = path.relative(cwd, file);
  return below.startsWith("..") ? path.basename(file) : below;
}

/** The record that was written last somewhere below the folder. */
function newestRecord(folder: string): string | undefined {
  let newest: { readonly file: string; readonly at: number } | undefined;
  let left = MOST_FOLDERS;
  const look = (at: string, depth: number): void => {
    if (left-- <= 0) return;
    for (const entry of entriesOf(at)) {
      const place = path.join(at, entry.name);
      if (entry.isDirectory() && depth < DEEPEST) look(place, depth + 1);
      if (!entry.isFile() || !NAME.test(entry.name)) continue;
      const written = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      // Of two with equal times, always the same one.
      if (newest === undefined || written > newest.at || (written === newest.at && place > newest.file))
        newest = { file: place, at: written };
    }
  };
  look(folder, 0);
  return newest?.file;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
