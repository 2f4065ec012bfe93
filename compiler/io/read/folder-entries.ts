import { type Dirent, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { byName } from "../../base/order.ts";
import { problemOf } from "./file-problem.ts";
import type { RealPath, RealPaths } from "./real-paths.ts";
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

/** Where the files of a project lie: on a disk, or in a commit. */
export interface FileTree {
  real(file: string): RealPath;
  /** In any order, links as links. */
  entriesIn(folder: string): readonly TreeEntry[] | FileProblem;
  /** What lies at the path that `real` answered. */
  kindOf(real: string): Exclude<FolderEntry["kind"], "broken"> | FileProblem;
}

export type TreeEntry = Pick<Dirent, "name" | "isFile" | "isDirectory" | "isSymbolicLink">;

export function treeOnDisk(paths: RealPaths): FileTree {
  return {
    real: paths.real,
    entriesIn: (folder) => dirents(path.join(paths.dir, folder)),
    kindOf: (real) => {
      try {
        const stats = statSync(path.resolve(paths.dir, real));
        return stats.isDirectory() ? "folder" : stats.isFile() ? "file" : "other";
      } catch (error) {
        return problemOf(error);
      }
    },
  };
}

export type Folders = Map<string, readonly string[] | undefined>;

/** A folder's entries, sorted, links followed. The names are noted in `folders`, for the cache. */
export function readFolder(folder: string, tree: FileTree, folders: Folders): readonly FolderEntry[] | FileProblem {
  const entries = tree.entriesIn(folder);
  const found = typeof entries === "string" ? entries : inOrder(entries);
  folders.set(folder, typeof found === "string" ? undefined : found.map((entry) => entry.name));
  if (typeof found === "string") return found;
  return found.map((entry) => ({
    name: entry.name,
    path: joined(folder, entry.name),
    ...nature(joined(folder, entry.name), entry, tree),
  }));
}

/** The names in one folder of the project, noted too. */
export function namesInside(folder: string, tree: FileTree, folders: Folders): readonly string[] | undefined {
  const real = tree.real(folder);
  if (real.problem === undefined && real.inside) readFolder(folder, tree, folders);
  else folders.set(folder, undefined);
  return folders.get(folder);
}

function inOrder<T extends TreeEntry>(entries: readonly T[]): T[] {
  return [...entries].sort((a, b) => byName(a.name, b.name));
}

/** Sorted names as the cache compares them; undefined when there is no such folder. */
export function namesIn(folder: string): readonly string[] | undefined {
  const found = dirents(folder);
  return typeof found === "string" ? undefined : inOrder(found).map((entry) => entry.name);
}

/** Kind of one path; undefined when nothing is there. */
export function entryAt(file: string, tree: FileTree): FolderEntry | undefined {
  const answer = { name: path.posix.basename(file), path: file };
  const real = tree.real(file);
  if (real.problem !== undefined)
    return real.problem === "missing" ? undefined : { ...answer, kind: "broken", inside: false, problem: real.problem };
  return { ...answer, ...lookedUp(real, tree) };
}

function dirents(folder: string): Dirent[] | FileProblem {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return problemOf(error);
  }
}

export function joined(folder: string, name: string): string {
  return folder === "" || folder === "." ? name : `${folder}/${name}`;
}

type Nature = Pick<FolderEntry, "kind" | "inside" | "problem">;

function nature(file: string, entry: TreeEntry, tree: FileTree): Nature {
  if (entry.isSymbolicLink()) {
    const real = tree.real(file);
    return real.problem !== undefined ? { kind: "broken", inside: false, problem: real.problem } : lookedUp(real, tree);
  }
  // A plain entry lies where its folder lies, and that was asked before.
  const kind = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : "other";
  return { kind, inside: true };
}

function lookedUp(real: { readonly path: string; readonly inside: boolean }, tree: FileTree): Nature {
  const kind = tree.kindOf(real.path);
  return kind === "file" || kind === "folder" || kind === "other"
    ? { kind, inside: real.inside }
    : { kind: "broken", inside: false, problem: kind };
}
