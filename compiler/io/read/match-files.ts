import { globSegments, segmentMatcher } from "../../base/file-glob.ts";
import { byName } from "../../base/order.ts";
import { isPassedBy } from "../../base/passed-by.ts";
import { entryAt, type FileTree, type FolderEntry, type Folders, joined, readFolder } from "./folder-entries.ts";
import type { ListedFile } from "../../1-source/types.ts";

const MOST_ENTRIES = 100_000;

interface Search {
  readonly tree: FileTree;
  readonly folders: Folders;
  readonly found: Map<string, ListedFile>;
  entries: number;
}

/**
 * The files that a glob names, sorted: `*` and `?` within a segment, `**` for any number of folders. Folders that are
 * written out are entered wherever they lie; `**` passes by node_modules and folders that begin with a dot.
 */
export function findMatches(glob: string, tree: FileTree, folders: Folders): ListedFile[] {
  const search: Search = { tree, folders, found: new Map(), entries: 0 };
  if (!/^(?:[/\\]|[A-Za-z]:)/.test(glob)) descend("", globSegments(glob), [], search);
  return [...search.found.values()].sort((a, b) => byName(a.path, b.path));
}

/** `above`: the real folders that `**` has come through. */
function descend(folder: string, segments: readonly string[], above: readonly string[], search: Search): void {
  const [segment, ...rest] = segments;
  if (segment === undefined) return;
  if (segment === "**") return anyDepth(folder, rest, above, search);
  if (!/[*?]/.test(segment))
    return step(entryAt(joined(folder, segment), search.tree), joined(folder, segment), rest, search);
  const matches = segmentMatcher(segment);
  for (const entry of entriesOf(folder, search)) {
    if (matches(entry.name)) step(entry, undefined, rest, search);
  }
}

/** `written`: a segment without wildcards, which says that this very thing is meant. */
function step(
  entry: FolderEntry | undefined,
  written: string | undefined,
  rest: readonly string[],
  search: Search,
): void {
  if (entry === undefined) {
    if (written !== undefined) search.folders.set(written, undefined);
  } else if (rest.length > 0) {
    if (entry.kind === "folder") descend(entry.path, rest, [], search);
    else if (entry.kind === "broken")
      search.found.set(entry.path, { path: entry.path, problem: entry.problem ?? "missing" });
  } else if (entry.kind === "file") {
    search.found.set(entry.path, { path: entry.path });
  } else if (entry.kind === "broken") {
    search.found.set(entry.path, { path: entry.path, problem: entry.problem ?? "missing" });
  } else if (written !== undefined || entry.kind === "other") {
    search.found.set(entry.path, { path: entry.path, problem: entry.kind === "folder" ? "directory" : "unreadable" });
  }
}

function anyDepth(folder: string, rest: readonly string[], above: readonly string[], search: Search): void {
  const real = search.tree.real(folder);
  if (real.problem !== undefined || above.includes(real.path)) return;
  descend(folder, rest.length > 0 ? rest : ["*"], [], search);
  for (const entry of entriesOf(folder, search)) {
    if (entry.kind === "folder" && !isPassedBy(entry.name)) anyDepth(entry.path, rest, [...above, real.path], search);
    else if (entry.kind === "broken" && !isPassedBy(entry.name) && !/\.[a-z0-9]{1,4}$/i.test(entry.name))
      search.found.set(entry.path, { path: entry.path, problem: entry.problem ?? "missing" });
  }
}

/** A search that grows too large says so: a guard that isn't found would be a restriction lost. */
function entriesOf(folder: string, search: Search): readonly FolderEntry[] {
  if (search.entries > MOST_ENTRIES) {
    search.found.set(folder, { path: folder, problem: "too-large" });
    return [];
  }
  const entries = readFolder(folder, search.tree, search.folders);
  if (typeof entries !== "string") {
    search.entries += entries.length;
    return entries;
  }
  if (entries !== "missing") search.found.set(folder, { path: folder, problem: entries });
  return [];
}
