import { byName } from "../../base/order.ts";
import { isPassedBy } from "../../base/passed-by.ts";
import { isSourceName } from "../../base/source-name.ts";
import { type FileTree, type FolderEntry, type Folders, readFolder } from "./folder-entries.ts";
import type { ListedFile } from "../../1-source/types.ts";

/** Links can make a small tree endless without ever going in a circle. */
const MOST_ENTRIES = 100_000;

/** Each sorted by path. What can't be read is listed with its problem: it may hold a restriction. */
export interface Listing {
  /** YAML and JSON files, by their names. */
  readonly sources: readonly ListedFile[];
  /** Whatever else lies beside them. */
  readonly others: readonly ListedFile[];
}

interface Walk {
  readonly tree: FileTree;
  readonly folders: Folders;
  readonly found: ListedFile[];
  readonly others: ListedFile[];
  entries: number;
}

/** Every file below a folder. */
export function listFolder(folder: string, tree: FileTree, folders: Folders): Listing {
  const start = folder.replace(/(?<!\/)\/+$/, "").replace(/^(?:\.\/)+/, "");
  const walk: Walk = { tree, folders, found: [], others: [], entries: 0 };
  const real = tree.real(start);
  if (real.problem === "missing") folders.set(start, undefined);
  else if (real.problem !== undefined) walk.found.push({ path: start, problem: real.problem });
  else if (!real.inside) walk.found.push({ path: start, problem: "outside" });
  else enter(start, [real.path], walk);
  return { sources: walk.found.sort(byPath), others: walk.others.sort(byPath) };
}

function byPath(a: ListedFile, b: ListedFile): number {
  return byName(a.path, b.path);
}

/** `above`: the real folders that lead here, this one included. */
function enter(folder: string, above: readonly string[], walk: Walk): void {
  const entries = readFolder(folder, walk.tree, walk.folders);
  if (typeof entries === "string") return void walk.found.push({ path: folder, problem: entries });
  walk.entries += entries.length;
  if (walk.entries > MOST_ENTRIES) return void walk.found.push({ path: folder, problem: "too-large" });
  for (const entry of entries) take(entry, above, walk);
}

function take(entry: FolderEntry, above: readonly string[], walk: Walk): void {
  const { name, path, kind } = entry;
  const source = isSourceName(name);
  const list = source ? walk.found : walk.others;
  // A dot parks a file. macOS and editors put their own notes there too, and links that lead nowhere.
  if (name.startsWith(".")) return;
  if (kind === "file") {
    list.push(entry.inside ? { path } : { path, problem: "outside" });
  } else if (kind === "folder") {
    if (source) walk.found.push({ path, problem: "directory" });
    else if (!isPassedBy(name)) follow(entry, above, walk);
  } else if (kind === "broken") {
    // It may have led to a folder of sources, whatever its name.
    const found = source || !/\.[a-z0-9]{1,4}$/i.test(name) ? walk.found : walk.others;
    found.push({ path, problem: entry.problem ?? "missing" });
  } else {
    list.push({ path, problem: "unreadable" });
  }
}

function follow(entry: FolderEntry, above: readonly string[], walk: Walk): void {
  const real = walk.tree.real(entry.path);
  if (real.problem !== undefined) return void walk.found.push({ path: entry.path, problem: real.problem });
  if (!real.inside) return void walk.found.push({ path: entry.path, problem: "outside" });
  if (above.includes(real.path)) return void walk.found.push({ path: entry.path, problem: "loop" });
  enter(entry.path, [...above, real.path], walk);
}
