import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { removeFile } from "./remove.ts";
import { makeWorkFolder } from "../remember/work-folder.ts";

/** Copies of users' files, made before a build removes or replaces a key there that the last build didn't write. */
const REPLACED = "replaced";

/** Where the copy of a file lies, from the project's folder. */
export function keptAt(file: string): string {
  return `.rolecall/${REPLACED}/${keptName(file)}`;
}

function keptName(file: string): string {
  return file.replaceAll("/", "__");
}

/** Under its path, with `__` for `/`. Fails in silence: version control has them too. */
export function keepReplaced(dir: string, file: string, bytes: Uint8Array): void {
  try {
    const folder = path.join(makeWorkFolder(dir), REPLACED);
    mkdirSync(folder, { recursive: true });
    // A repository could bring links in these places.
    if (!lstatSync(folder).isDirectory()) return;
    const kept = path.join(folder, keptName(file));
    removeFile(kept);
    writeFileSync(kept, bytes, { flag: "wx" });
  } catch {
    return;
  }
}
