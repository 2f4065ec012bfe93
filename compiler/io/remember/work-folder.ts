import {
  closeSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { wholeOf, withPlainFile } from "../bytes.ts";

/**
 * `.rolecall/`: what rolecall keeps for itself beside a project. Nothing in it is needed for a right result, and nothing
 * in it is believed because it lies there: a repository could bring the folder along.
 */
export const WORK_FOLDER = ".rolecall";

/**
 * Its path; made when it isn't there, with a file that keeps it out of version control. Never the folder that it is in: a
 * project that was moved away isn't begun anew where it was. Throws what the file system throws.
 */
export function makeWorkFolder(dir: string): string {
  const folder = path.join(dir, WORK_FOLDER);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory()) return folder;
  if (found) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another first build may be making it at this moment.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  writeFileSync(path.join(folder, ".gitignore"), "*\n");
  return folder;
}

/**
 * Writes a note that only this very file can carry: it names the file's own inode and birth, which a copy, a checkout
 * or somebody else's repository can't have. Whole or not at all. Returns the file system's own idea of now, in ms.
 */
export function writeOwnNote(file: string, body: (now: number) => string): void {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    const handle = openSync(temporary, "wx");
    try {
      const stats = fstatSync(handle);
      const text = `${markOf(stats)}\n${body(stats.mtimeMs)}`;
      ftruncateSync(handle, 0);
      writeSync(handle, text);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Undefined when there is no such note, or when it was written into another file. */
export function readOwnNote(file: string): string | undefined {
  return withPlainFile(file, (handle, stats) => {
    const text = wholeOf(handle, stats).toString("utf8");
    const end = text.indexOf("\n");
    return end !== -1 && text.slice(0, end) === markOf(stats) ? text.slice(end + 1) : undefined;
  });
}

function markOf(stats: { readonly ino: number; readonly birthtimeMs: number }): string {
  return `${stats.ino} ${stats.birthtimeMs}`;
}
