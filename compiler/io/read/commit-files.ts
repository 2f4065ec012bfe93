import path from "node:path";
import { git } from "./ask-git.ts";
import { findMatches } from "./match-files.ts";
import type { FileTree, TreeEntry } from "./folder-entries.ts";
import { blobsOf, folderInRepository, type NoRevision } from "./git.ts";
import { listFolder, type Listing } from "./list-folder.ts";
import { LARGEST_FILE } from "../bytes.ts";
import { textOf } from "./project-files.ts";
import type { RealPath } from "./real-paths.ts";
import type { FileAnswer, FileProblem, SourceFiles } from "../../1-source/types.ts";

/** The project as it was at a commit: what a build of a checkout would read, found by the same search. */
export interface CommitFiles extends SourceFiles {
  /** What was asked for and can't be told from here: what was read is no whole project then. */
  lacks(): NoRevision | undefined;
}

type Node = Folder | { readonly kind: "file" | "link" | "submodule"; readonly digest: string };

interface Folder {
  readonly kind: "folder";
  readonly entries: Map<string, Node>;
}

type Found =
  | { readonly path: string; readonly node: Node; readonly problem?: never }
  | { readonly problem: FileProblem };

/** As Linux counts. */
const MOST_LINKS = 40;

export function openCommit(dir: string, commit: string): CommitFiles {
  const lacks: NoRevision[] = [];
  const blobs = openBlobs(dir);
  const prefix = folderInRepository(dir);
  const tree = treeOf({ dir, commit, prefix, lacks, textOfLink: (digest) => blobs(digest)?.toString("utf8") });
  const allowed = new Set<string>();
  const listings = new Map<string, Listing>();
  const listing = (folder: string): Listing => {
    const known = listings.get(folder) ?? listFolder(folder, tree, new Map());
    listings.set(folder, known);
    return known;
  };
  return {
    lacks: () => lacks[0],
    list: (folder) => listing(folder).sources,
    others: (folder) => listing(folder).others,
    match: (glob) => {
      const found = findMatches(glob, tree, new Map());
      for (const { path: file, problem } of found) if (problem === undefined) allowed.add(file);
      return found;
    },
    read: (file): FileAnswer => {
      const real = tree.real(file);
      if (real.problem !== undefined) return { problem: real.problem };
      if (!real.inside && !allowed.has(file)) return { problem: "outside" };
      const found = tree.find(real.path);
      if (found.problem !== undefined) return { problem: found.problem };
      if (found.node.kind !== "file") return { problem: "directory" };
      const bytes = blobs(found.node.digest, tree.beside(real.path));
      if (bytes === undefined) {
        lacks.push(noContent(file));
        return { problem: "unreadable" };
      }
      if (bytes.length > LARGEST_FILE) return { problem: "too-large" };
      const text = textOf(bytes);
      return text === undefined ? { problem: "not-text", latin1: bytes.toString("latin1") } : { text };
    },
  };
}

function noContent(file: string): NoRevision {
  return {
    problem: `this clone lacks what \`${file}\` held there`,
    next: "fetch what it left out: git fetch --refetch --no-filter origin",
  };
}

type Blobs = (digest: string, beside?: readonly string[]) => Buffer | undefined;

/** `beside`: what is likely to be asked for next, as every question to git costs. */
function openBlobs(dir: string): Blobs {
  const known = new Map<string, Buffer>();
  const ask = (digests: readonly string[]) =>
    blobsOf(dir, digests).forEach((blob, i) => blob !== undefined && known.set(digests[i]!, blob));
  return (digest, beside = []) => {
    if (!known.has(digest)) ask([...new Set([digest, ...beside])]);
    // One that isn't there may end the answer for all.
    if (!known.has(digest)) ask([digest]);
    return known.get(digest);
  };
}

interface Listed {
  readonly dir: string;
  readonly commit: string;
  /** The project's folder in the repository. */
  readonly prefix: string;
  readonly lacks: NoRevision[];
  textOfLink(digest: string): string | undefined;
}

interface CommitTree extends FileTree {
  /** By a path in the repository. */
  find(real: string): Found;
  /** Digests of the files in the same folder with the same ending. */
  beside(real: string): string[];
}

function treeOf(listed: Listed): CommitTree {
  const find = openFind(listed);
  const inRepository = (file: string) => path.posix.join("/", listed.prefix, file);
  const root = find(listed.prefix);
  const isInside = (real: string) =>
    root.problem === undefined && (root.path === "" || real === root.path || real.startsWith(`${root.path}/`));
  const folderAt = (file: string): Folder | FileProblem => {
    const found = find(file);
    if (found.problem !== undefined) return found.problem;
    if (found.node.kind === "folder") return found.node;
    if (found.node.kind !== "submodule") return "missing";
    listed.lacks.push(inSubmodule(found.path));
    return "unreadable";
  };
  return {
    find,
    real: (file): RealPath => {
      const joined = leavesRepository(listed.prefix, file) ? { problem: "outside" as const } : find(inRepository(file));
      return joined.problem === undefined ? { path: joined.path, inside: isInside(joined.path) } : joined;
    },
    kindOf: (real) => {
      const found = find(real);
      if (found.problem !== undefined) return found.problem;
      return found.node.kind === "file" ? "file" : "folder";
    },
    entriesIn: (folder) => {
      if (leavesRepository(listed.prefix, folder)) return "outside";
      const found = folderAt(inRepository(folder));
      return typeof found === "string" ? found : [...found.entries].map(([name, node]) => entryOf(name, node));
    },
    beside: (real) => {
      const folder = folderAt(path.posix.dirname(real));
      const ending = path.posix.extname(real);
      if (typeof folder === "string") return [];
      return [...folder.entries].flatMap(([name, node]) =>
        node.kind === "file" && path.posix.extname(name) === ending ? [node.digest] : [],
      );
    },
  };
}

function leavesRepository(prefix: string, file: string): boolean {
  return /^\.\.(?:\/|$)/.test(path.posix.join(prefix, file));
}

function entryOf(name: string, { kind }: Node): TreeEntry {
  return {
    name,
    isFile: () => kind === "file",
    isDirectory: () => kind === "folder" || kind === "submodule",
    isSymbolicLink: () => kind === "link",
  };
}

function inSubmodule(folder: string): NoRevision {
  return {
    problem: `\`${folder}\` is a submodule there, whose files this repository doesn't hold`,
    next: "compare with a folder that has them: rolecall diff ./DIR",
  };
}

/** What lies beside the project is listed once something leads there. */
function openFind(listed: Listed): (file: string) => Found {
  const { dir, commit, prefix, lacks } = listed;
  let top = listedAt(dir, commit, prefix, lacks);
  let isWhole = prefix === "";
  return (file) => {
    const found = walk(file, top, listed);
    if (isWhole || `${found.at}/`.startsWith(prefix)) return found;
    isWhole = true;
    top = listedAt(dir, commit, "", lacks);
    return walk(file, top, listed);
  };
}

/** Along a path, links followed; `at`: how far it came. */
function walk(file: string, top: Folder, { lacks, textOfLink }: Listed): Found & { readonly at: string } {
  const left = segmentsOf(file);
  const done: { name: string; node: Node }[] = [];
  const at = (...more: string[]): string => [...done.map(({ name }) => name), ...more].join("/");
  let links = 0;
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const above: Node = done.at(-1)?.node ?? top;
    if (name === "..") {
      if (above.kind === "file") return { problem: "missing", at: at() };
      if (done.pop() === undefined) return { problem: "outside", at: "" };
      continue;
    }
    if (above.kind === "submodule") {
      lacks.push(inSubmodule(at()));
      return { problem: "unreadable", at: at() };
    }
    const node = above.kind === "folder" ? above.entries.get(name) : undefined;
    if (node === undefined) return { problem: "missing", at: at(name) };
    if (node.kind !== "link") {
      done.push({ name, node });
      continue;
    }
    const target = textOfLink(node.digest);
    if (target === undefined) {
      lacks.push(noContent(at(name)));
      return { problem: "unreadable", at: at(name) };
    }
    if (++links > MOST_LINKS) return { problem: "loop", at: at(name) };
    if (target.startsWith("/")) return { problem: "outside", at: at(name) };
    left.unshift(...segmentsOf(target));
  }
  const node = done.at(-1)?.node ?? top;
  return node.kind === "file" && file.endsWith("/") ? { problem: "missing", at: at() } : { path: at(), node, at: at() };
}

function segmentsOf(file: string): string[] {
  return file.split("/").filter((segment) => segment !== "" && segment !== ".");
}

const KINDS: Readonly<Record<string, "file" | "link" | "submodule">> = {
  "100644": "file",
  "100664": "file",
  "100755": "file",
  "120000": "link",
  "160000": "submodule",
};

function listedAt(dir: string, commit: string, below: string, lacks: NoRevision[]): Folder {
  const where = below === "" ? [] : ["--", below];
  const { ok, out, error } = git(dir, ["ls-tree", "-r", "-z", "--full-tree", commit, ...where]);
  if (!ok) lacks.push({ problem: `git can't read ${commit.slice(0, 9)}`, next: error.split("\n", 1)[0] ?? "" });
  const top: Folder = { kind: "folder", entries: new Map() };
  for (const line of ok ? out.toString("utf8").split("\0") : []) {
    const [, mode, digest, file] = /^(\d+) \S+ (\S+)\t(.*)$/s.exec(line) ?? [];
    const kind = KINDS[mode ?? ""];
    if (kind !== undefined) put(top, file!.split("/"), { kind, digest: digest! });
  }
  return top;
}

function put(top: Folder, segments: readonly string[], node: Node): void {
  let folder = top;
  for (const segment of segments.slice(0, -1)) {
    const known = folder.entries.get(segment);
    const next: Folder = known?.kind === "folder" ? known : { kind: "folder", entries: new Map() };
    folder.entries.set(segment, next);
    folder = next;
  }
  folder.entries.set(segments.at(-1)!, node);
}
