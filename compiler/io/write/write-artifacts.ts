import path from "node:path";
import type { HostData } from "../../base/host-data.ts";
import { sorted } from "../../base/order.ts";
import { visible } from "../../base/visible.ts";
import { generatedFolders } from "../../base/project-layout.ts";
import { readAccess } from "../../3-plan/read-access.ts";
import type { Report } from "../../diagnostics/report.ts";
import { ownPlaces } from "../../base/own-places.ts";
import type { Artifact, LargeFile, LeftPlace, ManagedBlock, ManagedKeys, WholeFile } from "../../5-artifacts/types.ts";
import { createEncoder, digestOfBytes, readPlain } from "../bytes.ts";
import type { EarlierBuild } from "../remember/earlier-build.ts";
import { lookAtOutput, type Ownership } from "./existing-output.ts";
import { type KeyList, LIST_NAME } from "../../base/file-list.ts";
import { fileListText } from "./file-list.ts";
import { shadows } from "./find-shadows.ts";
import { filesBelow } from "./find-strays.ts";
import { keepReplaced } from "./keep-replaced.ts";
import { lock } from "./lock.ts";
import { type ListsFound, readFileLists } from "./read-file-lists.ts";
import { refusalCase } from "./refusal-words.ts";
import { leftovers, openStaging, recover, type Refusal, type Staging } from "./staging.ts";
import {
  block,
  resultOf,
  startComparison,
  type Comparison,
  type Overwritten,
  take,
  takeAway,
  type WriteResult,
} from "./comparison.ts";
import { tellShadows } from "./tell-shadows.ts";
import { uncommitted } from "./uncommitted.ts";
import { writeManagedBlock } from "./write-managed-block.ts";
import { writeManagedKeys } from "./write-managed-keys.ts";
import { removeLeft } from "./remove-left.ts";

export interface WriteOptions {
  readonly dir: string;
  /** Relative to the project: where files.txt lies. */
  readonly out: string;
  /** The folder of sources, in which the files of hosts and editors lie. */
  readonly folder: string;
  /** Where both were when the last build wrote: what is the build's there, and nothing makes now, goes too. */
  readonly former?: { readonly out: string; readonly folder: string } | undefined;
  /** All that there are, chosen or not: what a build wrote for one is known by where the host keeps it. */
  readonly hosts: readonly HostData[];
  /** `check` changes nothing on disk, leaves no trace and reports no one else's files: it only says what a build would do. */
  readonly mode: "write" | "check";
  /** Where the chosen hosts look for what a role that is gone may have left. */
  readonly left?: readonly LeftPlace[];
  /** Tells what hosts would join with ours; true: it told something, which stops a build and is no output that is late. */
  readonly joined?: (made: readonly ManagedKeys[], listed: KeyList) => boolean;
  /** What the last build made and left: whatever it made from the same, and still lies there, isn't made again. */
  readonly earlier?: EarlierBuild | undefined;
}

/** Brings the output up to date: all of it or, when anything is refused, nothing. Takes one artifact at a time and lets it go. */
export function writeArtifacts(artifacts: Iterable<Artifact>, options: WriteOptions, report: Report): WriteResult {
  let unlock: (() => void) | undefined;
  let staging: Staging | undefined;
  try {
    if (options.mode === "check") return resultOf(survey(artifacts, options, undefined, report), movedFrom(options));
    unlock = lockIfPossible(options.dir);
    recover(options.dir);
    staging = openStaging(options.dir);
    const found = survey(artifacts, options, staging, report);
    if (found.refused) return nothing;
    const list = path.posix.join(options.out, LIST_NAME);
    // Every merge changes the list: it isn't told.
    const lost = uncommitted(
      options.dir,
      found.unknown.filter(({ file }) => file !== list),
    );
    for (const { file, bytes } of found.kept) keepReplaced(options.dir, file, bytes);
    if (!staging.empty) staging.commit();
    for (const tell of found.told) tell();
    tellOverwritten(lost, report);
    return resultOf(found, movedFrom(options));
  } catch (error) {
    tellRefusal(error, report);
    return nothing;
  } finally {
    staging?.discard();
    unlock?.();
  }
}

/** Brings what a build that died has begun to its end, so that the output is whole even if this build goes no further. */
export function finishEarlierBuild(dir: string, report: Report): void {
  let unlock: (() => void) | undefined;
  try {
    if (leftovers(dir).length === 0) return;
    unlock = lockIfPossible(dir);
    recover(dir);
  } catch (error) {
    tellRefusal(error, report);
  } finally {
    unlock?.();
  }
}

const nothing: WriteResult = {
  missing: [],
  differs: [],
  stale: [],
  blocked: [],
  respaced: [],
  unchanged: 0,
  outputs: new Map(),
  made: new Map(),
  keys: new Map(),
  folders: new Map(),
  moved: [],
};

/** Where nothing may be written, nothing can be locked; an output that is up to date is still fine. */
function lockIfPossible(dir: string): (() => void) | undefined {
  try {
    return lock(dir);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EROFS" || code === "EACCES" || code === "EPERM") return undefined;
    throw error;
  }
}

/** Throws what isn't one. */
function tellRefusal(error: unknown, report: Report): void {
  if (!isRefusal(error)) throw error;
  report.add("output/cannot-write", undefined, { file: error.refused ?? ".rolecall", ...refusalCase(error) });
}

function isRefusal(error: unknown): error is Refusal {
  return (
    error instanceof Error &&
    typeof (error as Partial<Refusal>).code === "string" &&
    ("refused" in error || "syscall" in error || error.message === "locked" || error.message === "not a folder")
  );
}

/** Compares every artifact with what lies there; what isn't the same is staged, files.txt last. */
function survey(
  artifacts: Iterable<Artifact>,
  options: WriteOptions,
  staging: Staging | undefined,
  report: Report,
): Comparison {
  const { dir, out, hosts, former, earlier } = options;
  const listFile = path.posix.join(out, LIST_NAME);
  const outs = [...new Set([out, ...(former ? [former.out] : [])])];
  const folders = [...new Set([options.folder, ...(former ? [former.folder] : [])])];
  const listed = readFileLists(dir, outs);
  const existing = lookAtOutput(dir, ownershipOf(listed, outs, folders, hosts), earlier, options.folder);
  const found = startComparison({ dir, hosts, existing, earlier, staging, report });
  const encode = createEncoder();
  const made = new Set<string>();
  const blocks: ManagedBlock[] = [];
  const keyed: ManagedKeys[] = [];
  for (const artifact of artifacts) {
    if ("block" in artifact) blocks.push(artifact);
    else if ("keys" in artifact) keyed.push(artifact);
    else {
      if (made.has(artifact.path)) throw new Error(`two artifacts for ${artifact.path}`);
      made.add(artifact.path);
      if (!isMadeBefore(artifact, found)) takeWhole(artifact, encode, found);
    }
  }
  const ours = new Set([listFile, ...listed.files, ...made]);
  for (const one of blocks) writeManagedBlock(one, ours, found);
  const keys = writeManagedKeys(keyed, listed.keys, new Set([...ours, ...blocks.map((one) => one.path)]), found);
  const known = new Set([...ours, ...keys.keys(), ...listed.keys.keys()]);
  if (options.joined?.(keyed, listed.keys) === true && staging !== undefined) found.refused = true;
  removeLeft(options.left ?? [], { known, keys: listed.keys }, found);
  takeStale({ made: new Set([...made, listFile]), listed, outs, folders: folders.flatMap(generatedFolders) }, found);
  const list = Buffer.from(fileListText({ files: made, keys }));
  const digest = digestOfBytes(list);
  found.made.set(listFile, { fingerprint: undefined, digest });
  take(listFile, list, digest, found.existing.find(listFile, list, digest), found);
  return found;
}

function ownershipOf(
  listed: ListsFound,
  outs: readonly string[],
  folders: readonly string[],
  hosts: readonly HostData[],
): Ownership {
  const isOwnPlace = ownPlaces(hosts);
  const accessFiles = new Set(outs.map((out) => path.posix.join(out, "access.json")));
  return {
    isListed: (file) => listed.files.has(file),
    isOwnText: (file, text) => accessFiles.has(file) && !("problem" in readAccess(text)),
    isOwnPlace: (file) => folders.some((folder) => isOwnPlace(file, folder)),
    goesByList: (file) => accessFiles.has(file) || isListedPlace(file, hosts),
  };
}

/** Where a file of a host lies beside those of other programs, and has no room for a header. */
function isListedPlace(file: string, hosts: readonly HostData[]): boolean {
  return hosts.some(({ places }) => places?.listed?.test(file));
}

/** If the last build made it from the same input, and what it wrote still lies there. */
function isMadeBefore({ path: file, fingerprint }: WholeFile | LargeFile, found: Comparison): boolean {
  const known = found.earlier?.made.get(file);
  const left = found.earlier?.left(file);
  if (fingerprint === undefined || known?.fingerprint !== fingerprint || left === undefined) return false;
  if (!found.existing.holds(file, left)) return false;
  found.unchanged++;
  found.outputs.set(file, left);
  found.made.set(file, known);
  return true;
}

function takeWhole(artifact: WholeFile | LargeFile, encode: ReturnType<typeof createEncoder>, found: Comparison): void {
  const file = artifact.path;
  const bytes = encode("text" in artifact ? [artifact.text] : artifact.chunks);
  const digest = digestOfBytes(bytes);
  found.made.set(file, { fingerprint: artifact.fingerprint, digest });
  take(file, bytes, digest, found.existing.find(file, bytes, digest), found);
}

interface Remains {
  readonly made: ReadonlySet<string>;
  readonly listed: ListsFound;
  readonly outs: readonly string[];
  readonly folders: readonly string[];
}

/** What is the build's by its header, its place or the list, and nothing makes any more. */
function takeStale({ made, listed, outs, folders }: Remains, found: Comparison): void {
  const open = [...outs, ...folders].filter((folder) => found.existing.obstacle(folder) === undefined);
  const below = filesBelow(found.dir, open, { outs, made: new Set([...made].map((file) => path.posix.dirname(file))) });
  const named = [...listed.files].filter((file) => isListedPlace(file, found.hosts));
  for (const file of sorted(new Set([...below.files, ...named]))) {
    if (made.has(file)) continue;
    const digest = found.existing.findStale(file);
    if (digest === undefined) continue;
    if (isListedPlace(file, found.hosts)) keepUnknown(file, digest, found);
    takeAway(file, digest, found);
  }
  for (const file of listed.old) takeOldList(file, found);
  refuseShadows(made, below.folders, outs[0]!, found);
  noteFolders(below.folders, made, open, found);
}

/** Output that is as it should be is none where something else is taken for it: a check says so too. */
function refuseShadows(
  made: ReadonlySet<string>,
  folders: ReadonlyMap<string, readonly string[]>,
  out: string,
  found: Comparison,
): void {
  const gone = new Set(found.stale);
  const taken = shadows(made, folders, (one) => gone.has(one));
  if (taken.length > 0) found.refused = true;
  tellShadows(taken, found.dir, out, found.report);
}

/** A file without a header that isn't as the last build on this machine left it may be the user's. */
function keepUnknown(file: string, digest: string, found: Comparison): void {
  if (found.staging === undefined || found.earlier?.left(file) === digest) return;
  const bytes = readPlain(path.join(found.dir, file));
  if (bytes !== undefined) found.kept.push({ file, bytes });
  else block(file, found, () => found.report.add("output/in-the-way", undefined, { file, case: "too-large" }));
}

/** Folders as the build leaves them: those that it is about to make too. */
function noteFolders(
  seen: ReadonlyMap<string, readonly string[]>,
  made: ReadonlySet<string>,
  starts: readonly string[],
  found: Comparison,
): void {
  const gone = new Set(found.stale);
  for (const [folder, names] of seen)
    found.folders.set(
      folder,
      names.filter((name) => !gone.has(`${folder}/${name}`)),
    );
  for (const file of made) {
    const start = starts.find((one) => file.startsWith(`${one}/`));
    if (start === undefined) continue;
    for (let folder = path.posix.dirname(file); !found.folders.has(folder); folder = path.posix.dirname(folder)) {
      found.folders.set(folder, []);
      if (folder === start) break;
    }
  }
}

/** It names files with digests, so it is no one's work. */
function takeOldList(file: string, found: Comparison): void {
  if (found.existing.obstacle(path.posix.dirname(file)) !== undefined) return;
  const bytes = readPlain(path.join(found.dir, file));
  if (bytes === undefined) return;
  found.stale.push(file);
  found.staging?.remove(file, digestOfBytes(bytes));
}

const MOST_NAMED = 12;

/** A slip in `out:` moves the whole output: it is named where the last place is known. */
function movedFrom({ out, folder, former }: WriteOptions): WriteResult["moved"] {
  const now = { out, folder };
  return (["out", "folder"] as const).flatMap((key) =>
    former === undefined || former[key] === now[key] ? [] : [{ key, before: former[key] }],
  );
}

function tellOverwritten(lost: readonly Overwritten[], report: Report): void {
  const names = sorted(lost.map(({ file, part }) => (part === undefined ? file : `${file}, ${part}`))).map(
    (name) => `\`${visible(name)}\``,
  );
  const more = names.length - MOST_NAMED;
  const files = names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  if (names.length > 0) report.add("output/overwritten", undefined, { files });
}
