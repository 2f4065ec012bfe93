import { isAscii, isUtf8 } from "node:buffer";
import { closeSync, fstatSync, statSync, type Stats } from "node:fs";
import path from "node:path";
import { sortedBy } from "../../base/order.ts";
import { digestOfBytes, fillFrom, LARGEST_FILE, openToRead } from "../bytes.ts";
import type { EarlierBuild } from "../remember/earlier-build.ts";
import { problemOf } from "./file-problem.ts";
import { folderAbove } from "./find-project.ts";
import { namesInside, treeOnDisk } from "./folder-entries.ts";
import { findMatches } from "./match-files.ts";
import { openRealPaths, type RealPaths } from "./real-paths.ts";
import { listFolder, type Listing } from "./list-folder.ts";
import type { FileAnswer, FileProblem, SourceFiles } from "../../1-source/types.ts";

/** The files of a project on disk, and a memory of everything that a build looked at. */
export interface ProjectFiles extends SourceFiles {
  readonly seen: Seen;
  /** `sha256:...` of the file's bytes as they were read; undefined when it wasn't read or couldn't be. */
  digestOf(file: string): string | undefined;
}

/** What a build depends on: answers that would come out differently mean that it must run again. */
export interface Seen {
  /** By path. Undefined: the file couldn't be read. */
  readonly files: Map<string, { readonly stats: Stats; readonly digest: string } | undefined>;
  /** The names in every folder that was looked through, sorted; undefined: there was no such folder. */
  readonly folders: Map<string, readonly string[] | undefined>;
  /** The moment before the first look, by the monotonic clock. */
  readonly since: number;
}

/** `known`: the digest of a file's bytes where its stats prove them, from an earlier build. */
export function openProject(dir: string, known?: EarlierBuild["digestBy"]): ProjectFiles {
  const paths = openRealPaths(dir);
  const tree = treeOnDisk(paths);
  const seen: Seen = { files: new Map(), folders: new Map(), since: performance.now() };
  const allowed = new Set<string>();
  const readWhole = createReadWhole();
  const listings = new Map<string, Listing>();
  const listing = (folder: string): Listing => {
    const known = listings.get(folder) ?? listFolder(folder, tree, seen.folders);
    listings.set(folder, known);
    return known;
  };
  return {
    seen,
    read: (file) => readProjectFile(file, readInside(file, paths, allowed, readWhole), seen),
    list: (folder) => listing(folder).sources,
    others: (folder) => listing(folder).others,
    match: (glob) => {
      const found = findMatches(glob, tree, seen.folders);
      for (const { path: file, problem } of found) if (problem === undefined) allowed.add(file);
      return found;
    },
    names: (folder) => namesInside(folder, tree, seen.folders),
    above: (file) => folderAbove(dir, [file]),
    digestOf: (file) => {
      if (!seen.files.has(file) && known !== undefined) lookAt(file, paths, known, seen);
      return seen.files.get(file)?.digest;
    },
  };
}

/** Sees a file without reading it, when an earlier build read it as it is. */
function lookAt(file: string, paths: RealPaths, known: EarlierBuild["digestBy"], seen: Seen): void {
  const real = paths.real(file);
  if (real.problem !== undefined || !real.inside) return;
  const stats = statSync(path.join(paths.dir, file), { throwIfNoEntry: false });
  const digest = stats?.isFile() ? known(file, stats) : undefined;
  if (stats && digest !== undefined) seen.files.set(file, { stats, digest });
}

function readProjectFile(file: string, bytes: ReadBytes | FileProblem, seen: Seen): FileAnswer {
  const before = seen.files.get(file);
  if (before) holdTo(before, bytes, file);
  // A folder is no file that is missing: whoever lists it notes it.
  else if (!seen.files.has(file) && bytes !== "directory")
    seen.files.set(
      file,
      typeof bytes === "string" ? undefined : { stats: bytes.stats, digest: digestOfBytes(bytes.bytes) },
    );
  if (typeof bytes === "string") return { problem: bytes };
  const text = textOf(bytes.bytes);
  return text === undefined ? { problem: "not-text", latin1: bytes.bytes.toString("latin1") } : { text };
}

const CHANGED = "ECHANGED";

/** A file isn't what it was when this build first looked at it: what was built so far is of no use. */
export function isChangedMeanwhile(problem: unknown): boolean {
  return problem instanceof Error && (problem as NodeJS.ErrnoException).code === CHANGED;
}

/** What is remembered of the file, and what is made from it, must be about the same bytes. */
function holdTo(
  before: { readonly stats: Stats; readonly digest: string },
  now: ReadBytes | FileProblem,
  file: string,
) {
  const { stats } = before;
  if (typeof now !== "string") {
    const same = now.stats.mtimeMs === stats.mtimeMs && now.stats.ctimeMs === stats.ctimeMs;
    if (same && now.stats.size === stats.size && now.stats.ino === stats.ino) return;
    if (digestOfBytes(now.bytes) === before.digest) return;
  }
  throw Object.assign(new Error(`${file} changed while it was read`), { code: CHANGED });
}

interface ReadBytes {
  readonly bytes: Buffer;
  /** Taken before the first byte was read. */
  readonly stats: Stats;
}

function readInside(
  file: string,
  paths: RealPaths,
  allowed: ReadonlySet<string>,
  readWhole: ReadWhole,
): ReadBytes | FileProblem {
  const real = paths.real(file);
  if (real.problem !== undefined) return real.problem;
  if (!real.inside && !allowed.has(file)) return "outside";
  let handle: number;
  try {
    handle = openToRead(path.join(paths.dir, file));
  } catch (error) {
    return problemOf(error);
  }
  try {
    const stats = fstatSync(handle);
    if (stats.isDirectory()) return "directory";
    if (!stats.isFile()) return "unreadable";
    if (stats.size > LARGEST_FILE) return "too-large";
    return { bytes: readWhole(handle, stats.size), stats };
  } catch (error) {
    return problemOf(error);
  } finally {
    closeSync(handle);
  }
}

/** What a handle leads to, up to a size, in one buffer that is used again: a view is good until the next call. */
type ReadWhole = (handle: number, size: number) => Buffer;

/** A file that grows meanwhile is read up to the size that it had: the next build sees that it changed. */
function createReadWhole(): ReadWhole {
  let buffer: Buffer = Buffer.allocUnsafeSlow(1 << 18);
  return (handle, size) => {
    if (size > buffer.length) buffer = Buffer.allocUnsafeSlow(Math.max(size, buffer.length * 2));
    return buffer.subarray(0, fillFrom(handle, buffer, size));
  };
}

/** Undefined when it isn't UTF-8. A byte order mark isn't part of the text. */
export function textOf(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) return undefined;
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.toString("utf8", mark);
}

/** The project as it would be with these texts in place of what lies there. */
export function withTexts(files: SourceFiles, texts: ReadonlyMap<string, string>): SourceFiles {
  if (texts.size === 0) return files;
  const below = (folder: string) =>
    [...texts.keys()].filter((file) => file.startsWith(`${folder}/`)).map((file) => ({ path: file }));
  return {
    read: (file) => {
      const text = texts.get(file);
      return text === undefined ? files.read(file) : { text };
    },
    list: (folder) =>
      sortedBy([...files.list(folder).filter((file) => !texts.has(file.path)), ...below(folder)], (file) => file.path),
    others: (folder) => files.others(folder),
    match: (glob) => files.match(glob),
    digestOf: (file) => (texts.has(file) ? undefined : files.digestOf?.(file)),
  };
}
