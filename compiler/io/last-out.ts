import path from "node:path";
import { makeWorkFolder, readOwnNote, WORK_FOLDER, writeOwnNote } from "./work-folder.ts";

/** Where the last build's files.json lies, so that its output is found again once `out:` says something else. */
const NOTE = "out";

export function lastOut(dir: string): string | undefined {
  return readOwnNote(path.join(dir, WORK_FOLDER, NOTE));
}

/** Fails in silence: after a change of `out:` the old output then stays where it is. */
export function rememberOut(dir: string, out: string): void {
  if (lastOut(dir) === out) return;
  try {
    writeOwnNote(path.join(makeWorkFolder(dir), NOTE), () => out);
  } catch {
    return;
  }
}
