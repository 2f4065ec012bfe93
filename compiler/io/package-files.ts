import { statSync } from "node:fs";
import path from "node:path";
import { LARGEST_FILE } from "./bytes.ts";

/**
 * Whether Node may be asked for a package, or a file of one, from a folder. It reads every package.json on its way, whatever
 * lies there: it would wait for a pipe, and of a device take all memory.
 */
export function mayLookFor(name: string, from: string): boolean {
  const parts = name.split("/");
  const below = parts.map((_, i) => path.join("node_modules", ...parts.slice(0, i + 1)));
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (!["", ...below].every((at) => isPlainOrNone(path.join(folder, at, "package.json")))) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/** One without a size is made while it is read. */
function isPlainOrNone(file: string): boolean {
  try {
    const stats = statSync(file);
    return stats.isDirectory() || (stats.isFile() && stats.size > 0 && stats.size <= LARGEST_FILE);
  } catch {
    return true;
  }
}
