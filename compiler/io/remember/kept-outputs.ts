import { copyFileSync, linkSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import path from "node:path";
import { digestAt } from "../bytes.ts";
import { removeFile } from "../write/remove.ts";
import { makeWorkFolder, WORK_FOLDER } from "./work-folder.ts";

/**
 * A second name for every output, by digest, so that one that is gone can be put back without being made again. Names take
 * no room. Whoever edits an output in place edits what is kept too, so nothing is put back before its digest was seen.
 */
const KEPT = "kept";
const NAME = /^[0-9a-f]{64}$/;

/** Fails in silence, as on a file system without links: outputs are then made again. */
export function keepOutputs(dir: string, outputs: ReadonlyMap<string, string>): void {
  try {
    const folder = path.join(makeWorkFolder(dir), KEPT);
    mkdirSync(folder, { recursive: true });
    // A repository could bring a link in its place, to a folder in which nothing is ours to remove.
    if (!lstatSync(folder).isDirectory()) return;
    const old = new Set(readdirSync(folder).filter((name) => NAME.test(name)));
    for (const [file, digest] of outputs) {
      const name = nameOf(digest);
      if (!old.delete(name)) linkUnlessThere(path.join(dir, file), path.join(folder, name));
    }
    const wanted = new Set([...outputs.values()].map(nameOf));
    for (const name of old) if (!wanted.has(name)) removeFile(path.join(folder, name));
  } catch {
    return;
  }
}

/** Where a file with this very digest is kept. */
export function findKept(dir: string, digest: string): string | undefined {
  const file = path.join(dir, WORK_FOLDER, KEPT, nameOf(digest));
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const found = digestAt(file);
  if (found === digest) return file;
  if (found !== undefined) removeFile(file);
  return undefined;
}

/** A second name of a file; a copy, where there can be none. */
export function linkOrCopy(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch {
    copyFileSync(file, name);
  }
}

function linkUnlessThere(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function nameOf(digest: string): string {
  return digest.slice("sha256:".length);
}
