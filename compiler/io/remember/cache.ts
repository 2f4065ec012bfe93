import { statSync, type Stats } from "node:fs";
import path from "node:path";
import { sorted } from "../../base/order.ts";
import type { Diagnostic } from "../../diagnostics/types.ts";
import type { EarlierBuild, Made, MadeKeys } from "./earlier-build.ts";
import { digestAt, digestOfBytes } from "../bytes.ts";
import { namesIn } from "../read/folder-entries.ts";
import type { Seen } from "../read/project-files.ts";
import { leftovers } from "../write/staging.ts";
import { makeWorkFolder, readOwnNote, WORK_FOLDER, writeOwnNote } from "./work-folder.ts";

/**
 * What the last build read and wrote, so that one with nothing changed ends at once. Never needed for a right result:
 * a cache that is missing, broken, from another version or from another place is as good as none.
 */
/** Not JSON by its name: formatters read what ends so. */
const CACHE = "cache";

/** A file whose time isn't at least this much older than the look at it could change again without a new time. */
const CLEARLY_OLDER_MS = 100;
/** Some file systems count whole or even seconds. */
const COARSE_CLEARLY_OLDER_MS = 2100;

export interface LastBuild {
  readonly diagnostics: readonly Diagnostic[];
  /** What the command said at the end; plain data. */
  readonly summary: unknown;
}

export interface CacheInput {
  readonly seen: Seen;
  /** Digest of every output, from `writeArtifacts`. */
  readonly outputs: ReadonlyMap<string, string>;
  /** What outputs were made from, from `writeArtifacts`. */
  readonly made: Made;
  /** Values of our keys in files of the user's, from `writeArtifacts`. */
  readonly keys: MadeKeys;
  /** Folders that were searched for output that nothing makes, from `writeArtifacts`. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: unknown;
}

/** `settled`: the stats alone prove that the content is the one with this digest. A missing file has none of it. */
type FilePrint =
  | readonly [file: string, size: number, mtime: number, ctime: number, inode: number, digest: string, settled: 0 | 1]
  | MissingPrint;
type MissingPrint = readonly [file: string];
type FolderPrint =
  | readonly [folder: string, mtime: number, ctime: number, inode: number, names: string, settled: 0 | 1]
  | readonly [folder: string];

interface Stored {
  readonly tool: string;
  readonly files: readonly FilePrint[];
  readonly folders: readonly FolderPrint[];
  readonly made: readonly (readonly [file: string, fingerprint: string | null, digest: string])[];
  readonly keys: readonly (readonly [file: string, values: readonly (readonly [place: string, digest: string])[]])[];
  readonly last: LastBuild;
}

/** Nothing that was read has changed. */
export interface StandingBuild {
  readonly last: LastBuild;
  /** What it read, by path in the project, with a digest of its bytes; not what packages of others say of themselves, nor git's own. */
  readonly inputs: ReadonlyMap<string, string>;
  /** Outputs that aren't there any more, with the digest of what lay there; the others lie there as they were left. */
  readonly gone: ReadonlyMap<string, string>;
  /** Says that everything is in place again. */
  settle(): void;
}

/**
 * What the last build said, if a build now would read the same sources and each output lies as that build left it or is gone.
 * Undefined: a build is needed.
 */
export function standingBuild(dir: string, toolVersion: string): StandingBuild | undefined {
  const file = path.join(dir, WORK_FOLDER, CACHE);
  const stored = readStored(file);
  if (stored === undefined || stored.tool !== toolVersion || leftovers(dir).length > 0) return undefined;
  const began = performance.now();
  let looked = false;
  const gone = new Map<string, string>();
  const made = new Map(stored.made.map(([output, , digest]) => [output, digest]));
  for (const print of stored.files) {
    const answer = fileHolds(dir, print);
    if (answer === "gone" && print[5] !== undefined && made.get(print[0]) === print[5]) gone.set(print[0], print[5]);
    else if (answer === "no" || answer === "gone") return undefined;
    looked ||= answer === "looked";
  }
  for (const print of stored.folders) {
    const answer = folderHolds(dir, print, gone);
    if (answer === "no") return undefined;
    looked ||= answer === "looked";
  }
  if (looked && gone.size === 0) settle(dir, file, stored, began);
  const inputs = stored.files.flatMap((print) =>
    print.length === 1 || made.has(print[0]) || IN_NO_COMMIT.test(print[0]) ? [] : [[print[0], print[5]] as const],
  );
  return { last: stored.last, inputs: new Map(inputs), gone, settle: () => settle(dir, file, stored, began) };
}

/** A package's is read for advice alone; of git's own it counts that it is there. */
const IN_NO_COMMIT = /^node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$|(?:^|\/)\.git(?:\/HEAD)?$/;

/** The last build that went well; undefined when nothing is known of one. Of another version's it is known what it left. */
export function earlierBuild(dir: string, toolVersion: string): EarlierBuild | undefined {
  const stored = readStored(path.join(dir, WORK_FOLDER, CACHE));
  if (stored?.tool === toolVersion) return buildIn(stored);
  try {
    return stored && { ...buildIn(stored), made: new Map(), digestBy: () => undefined };
  } catch {
    return undefined;
  }
}

function buildIn(stored: Stored): EarlierBuild {
  const prints = new Map(stored.files.map((print) => [print[0], print]));
  const made = new Map(
    stored.made.map(([file, fingerprint, digest]) => [file, { fingerprint: fingerprint ?? undefined, digest }]),
  );
  const keys = new Map(stored.keys.map(([file, values]) => [file, new Map(values)]));
  return {
    made,
    digestBy: (file, stats) => {
      const print = prints.get(file);
      return print !== undefined && print.length !== 1 && provenBy(stats, print) ? print[5] : undefined;
    },
    left: (file) => prints.get(file)?.[5],
    key: (file, place) => keys.get(file)?.get(place),
  };
}

/** Remembers a build that went well. Fails in silence: the next build is only slower. */
export function saveCache(dir: string, toolVersion: string, input: CacheInput): void {
  try {
    const file = path.join(makeWorkFolder(dir), CACHE);
    writeOwnNote(file, (now) =>
      JSON.stringify(stored(dir, toolVersion, input, now - (performance.now() - input.seen.since))),
    );
  } catch {
    return;
  }
}

function readStored(file: string): Stored | undefined {
  const note = readOwnNote(file);
  if (note === undefined) return undefined;
  try {
    const value = JSON.parse(note) as Stored;
    return [value.files, value.folders, value.made, value.keys].every(Array.isArray) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `yes` by stats alone; `looked`: by content, because the stats prove nothing. */
type Answer = "yes" | "looked" | "no";

function fileHolds(dir: string, print: FilePrint): Answer | "gone" {
  const whole = path.join(dir, print[0]);
  const stats = statsOf(whole);
  if (print.length === 1) return stats === undefined ? "yes" : "no";
  if (stats === undefined) return "gone";
  if (!stats.isFile() || stats.size !== print[1]) return "no";
  if (provenBy(stats, print)) return "yes";
  return digestAt(whole) === print[5] ? "looked" : "no";
}

function provenBy(stats: Stats, print: Exclude<FilePrint, MissingPrint>): boolean {
  const [, size, mtime, ctime, inode, , settled] = print;
  const same = stats.size === size && stats.mtimeMs === mtime && stats.ctimeMs === ctime && stats.ino === inode;
  return same && settled === 1;
}

/** Outputs that are gone count as there: they will be. */
function folderHolds(dir: string, print: FolderPrint, gone: ReadonlyMap<string, string>): Answer {
  const whole = path.join(dir, print[0]);
  const stats = statsOf(whole);
  if (print.length === 1) return stats === undefined ? "yes" : "no";
  const [, mtime, ctime, inode, names, settled] = print;
  const same = stats?.mtimeMs === mtime && stats.ctimeMs === ctime && stats.ino === inode;
  if (same && settled === 1) return "yes";
  if (stats === undefined && ![...gone.keys()].some((file) => file.startsWith(`${print[0]}/`))) return "no";
  const now = stats === undefined ? [] : namesIn(whole);
  return now !== undefined && namesDigest(withGone(now, print[0], gone)) === names ? "looked" : "no";
}

function withGone(names: readonly string[], folder: string, gone: ReadonlyMap<string, string>): readonly string[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  const below = [...gone.keys()].filter((file) => file.startsWith(prefix));
  return sorted(new Set([...names, ...below.map((file) => file.slice(prefix.length).split("/", 1)[0]!)]));
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesDigest(names: readonly string[] | undefined): string {
  return names === undefined ? "" : digestOfBytes(Buffer.from(names.join("\0")));
}

/** Everything was just looked at, so stats that are old enough by now will do the next time. */
function settle(dir: string, file: string, old: Stored, began: number): void {
  try {
    writeOwnNote(file, (now) => {
      const since = now - (performance.now() - began);
      const files = old.files.map((print): FilePrint =>
        print.length === 1 ? print : filePrint(dir, print[0], print[5], since),
      );
      const folders = old.folders.map((print): FolderPrint =>
        print.length === 1 ? print : folderPrint(dir, print[0], print[4], since),
      );
      return JSON.stringify({ ...old, files, folders } satisfies Stored);
    });
  } catch {
    return;
  }
}

function stored(dir: string, tool: string, input: CacheInput, since: number): Stored {
  const files: FilePrint[] = [];
  for (const [file, read] of input.seen.files) {
    if (input.outputs.has(file)) continue;
    files.push(
      read === undefined ? [file] : [file, ...printed(read.stats), read.digest, isSettled(read.stats, since) ? 1 : 0],
    );
  }
  for (const [file, digest] of input.outputs) files.push(filePrint(dir, file, digest, since));
  const folders: FolderPrint[] = [];
  for (const [folder, names] of new Map([...input.folders, ...input.seen.folders])) {
    folders.push(
      names === undefined
        ? [folder]
        : folderPrint(dir, folder, namesDigest(withOutputs(folder, names, dir, input.outputs)), since),
    );
  }
  const made = [...input.made].map(([file, { fingerprint, digest }]) => [file, fingerprint ?? null, digest] as const);
  const keys = [...input.keys].map(([file, values]) => [file, [...values]] as const);
  return { tool, files, folders, made, keys, last: { diagnostics: input.diagnostics, summary: input.summary } };
}

/** What the build itself put into a folder after looking through it is no change. */
function withOutputs(
  folder: string,
  names: readonly string[],
  dir: string,
  outputs: ReadonlyMap<string, string>,
): readonly string[] {
  const now = namesIn(path.join(dir, folder));
  if (now === undefined) return names;
  const before = new Set(names);
  const prefix = folder === "" ? "" : `${folder}/`;
  const added = now.filter((name) => !before.has(name));
  const ours = (name: string) =>
    outputs.has(prefix + name) || [...outputs.keys()].some((output) => output.startsWith(`${prefix}${name}/`));
  const lost = names.length + added.length !== now.length;
  return !lost && added.every(ours) ? now : names;
}

function filePrint(dir: string, file: string, digest: string, since: number): FilePrint {
  const stats = statsOf(path.join(dir, file));
  if (stats === undefined) return [file, -1, 0, 0, 0, digest, 0];
  return [file, ...printed(stats), digest, isSettled(stats, since) ? 1 : 0];
}

function folderPrint(dir: string, folder: string, names: string, since: number): FolderPrint {
  const stats = statsOf(path.join(dir, folder));
  if (stats === undefined) return [folder, 0, 0, 0, names, 0];
  return [folder, stats.mtimeMs, stats.ctimeMs, stats.ino, names, isSettled(stats, since) ? 1 : 0];
}

function printed(stats: Stats): [size: number, mtime: number, ctime: number, inode: number] {
  return [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino];
}

/** `since`: the file system's time before the content was looked at. A time in the future is never old enough. */
function isSettled(stats: Stats, since: number): boolean {
  const newest = Math.max(stats.mtimeMs, stats.ctimeMs);
  const coarse = stats.ctimeMs % 1000 === 0;
  return newest < since - (coarse ? COARSE_CLEARLY_OLDER_MS : CLEARLY_OLDER_MS);
}
