import { readdirSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import path from "node:path";

/** `rmSync` loads a module of its own, which takes longer than what is removed here. */
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
