import { readdirSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import path from "node:path";

/** Not by `rmSync`: loading what it needs takes longer than removing the few files here. */
export function removeFile(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** A folder with plain files in it. */
export function removeFolder(folder: string): void {
  try {
    for (const name of readdirSync(folder)) unlinkSync(path.join(folder, name));
    rmdirSync(folder);
  } catch {
    rmSync(folder, { recursive: true, force: true });
  }
}
