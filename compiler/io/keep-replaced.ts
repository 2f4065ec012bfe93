import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { makeWorkFolder } from "./work-folder.ts";

/** Files of the user's as they were before a build took something out of them that it didn't know as its own, by path. */
const REPLACED = "replaced";

/** Fails in silence: version control has them too. */
export function keepReplaced(dir: string, file: string, bytes: Uint8Array): void {
  try {
    const kept = path.join(makeWorkFolder(dir), REPLACED, file);
    mkdirSync(path.dirname(kept), { recursive: true });
    writeFileSync(kept, bytes);
  } catch {
    return;
  }
}
