import { type Dirent, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { byName } from "../../base/order.ts";
import { problemOf } from "./file-problem.ts";
import type { RealPaths } from "./real-paths.ts";
import type { FileProblem } from "../../1-source/types.ts";

export interface FolderEntry {
  readonly name: string;
  /** Relative to the project, with `/`. */
  readonly path: string;
  readonly kind: "file" | "folder" | "other" | "broken";
  /** Whether it really lies in the project. */
  readonly inside: boolean;
  /** Why a `broken` link leads nowhere. */
  readonly problem?: FileProblem;
}

export type Folders = Map<string, readonly string[] | undefined>;

/** A folder's entries, sorted, links followed. The names are noted in `folders`, for the cache. */
export function readFolder(folder: string, paths: RealPaths, folders: Folders): readonly FolderEntry[] | FileProblem {
  const found = dirents(path.join(paths.dir, folder));
  folders.set(folder, typeof found === "string" ? undefined : found.map((entry) => entry.name));
  if (typeof found === "string") return found;
  return found.map((entry) => ({
    name: entry.name,
    path: joined(folder, entry.name),
    ...nature(joined(folder, entry.name), entry, paths),
  }));
}

/** Sorted names as the cache compares them; undefined when there is no such folder. */
export function namesIn(folder: string): readonly string[] | undefined {
  const found = dirents(folder);
  return typeof found === "string" ? undefined : found.map((entry) => entry.name);
}

/** Kind of one path; undefined when nothing is there. */
export function entryAt(file: string, paths: RealPaths): FolderEntry | undefined {
  const answer = { name: path.posix.basename(file), path: file };
  const real = paths.real(file);
  if (real.problem !== undefined)
    return real.problem === "missing" ? undefined : { ...answer, kind: "broken", inside: false, problem: real.problem };
  return { ...answer, ...lookedUp(real, paths) };
}

function dirents(folder: string): Dirent[] | FileProblem {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => byName(a.name, b.name));
  } catch (error) {
    return problemOf(error);
  }
}

export function joined(folder: string, name: string): string {
  return folder === "" || folder === "." ? name : `${folder}/${name}`;
}

type Nature = Pick<FolderEntry, "kind" | "inside" | "problem">;

function nature(file: string, entry: Dirent, paths: RealPaths): Nature {
  if (entry.isSymbolicLink()) {
    const real = paths.real(file);
    return real.problem !== undefined
      ? { kind: "broken", inside: false, problem: real.problem }
      : lookedUp(real, paths);
  }
  // A plain entry lies where its folder lies, and that was asked before.
  const kind = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "other";
  return { kind, inside: true };
}

function lookedUp(real: { readonly path: string; readonly inside: boolean }, paths: RealPaths): Nature {
  try {
    const stats = statSync(path.resolve(paths.dir, real.path));
    return { kind: stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "other", inside: real.inside };
  } catch (error) {
    return { kind: "broken", inside: false, problem: problemOf(error) };
  }
}
