import { readdirSync, statSync, type Dirent } from "node:fs";
import path from "node:path";

/** Where apps put their records, by the examples of this project and of others: `.runs/<run>/calls.jsonl` and the like. */
export const RECORDS = ".runs";
const NAME = /calls\.jsonl$/;
const DEEPEST = 4;
const MOST_FOLDERS = 10_000;

/** The record that was written last somewhere below the folder. */
export function newestRecord(folder: string): string | undefined {
  let newest: { readonly file: string; readonly at: number } | undefined;
  let left = MOST_FOLDERS;
  const look = (at: string, depth: number): void => {
    if (left-- <= 0) return;
    for (const entry of entriesOf(at)) {
      const place = path.join(at, entry.name);
      if (entry.isDirectory() && depth < DEEPEST) look(place, depth + 1);
      if (!entry.isFile() || !NAME.test(entry.name)) continue;
      const written = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      // Of two written in one moment, the same one each time.
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
