import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import path from "node:path";
import { sorted } from "../base/order.ts";
import type { Report } from "../diagnostics/report.ts";
import { withBlock } from "../4-artifacts/managed-block.ts";
import type { Artifact, LargeFile, ManagedBlock, ManagedKeys, WholeFile } from "../4-artifacts/types.ts";
import type { EarlierBuild, Made } from "./earlier-build.ts";
import { createEncoder, digestOfBytes, readPlain } from "./bytes.ts";
import { type ExistingOutput, type Finding, lookAtOutput } from "./existing-output.ts";
import { type FileList, fileListText, type KeyList, LIST_NAME, readFileList } from "./file-list.ts";
import { lock } from "./lock.ts";
import { refusalWords } from "./refusal-words.ts";
import { leftovers, openStaging, recover, type Refusal, type Staging } from "./staging.ts";
import { takeKeys } from "./take-keys.ts";
import { userFile } from "./user-file.ts";

export interface WriteOptions {
  readonly dir: string;
  /** Relative to the project: where files.json lies. */
  readonly out: string;
  /** Where it lay when the last build wrote it: what that list names, and nothing makes now, goes. */
  readonly formerOut?: string | undefined;
  /** Folders that hold nothing but output: what the last build wrote there goes by its digest alone. */
  readonly ownFolders?: readonly string[];
  /** `check` changes nothing on disk, leaves no trace and reports no one else's files: it only says what a build would do. */
  readonly mode: "write" | "check";
  /** What the last build made and left: whatever it made from the same, and still lies there, isn't made again. */
  readonly earlier?: EarlierBuild | undefined;
}

/** All paths relative to the project, sorted. With mode `write`, the first three are what was done. */
export interface WriteResult {
  readonly missing: readonly string[];
  readonly differs: readonly string[];
  readonly stale: readonly string[];
  /** Of those that differ: what a build stops at, since somebody changed it or rolecall didn't write it. */
  readonly blocked: readonly string[];
  readonly unchanged: number;
  /** Digest of every output as it now lies there, for the cache. Empty when something was refused. */
  readonly outputs: ReadonlyMap<string, string>;
  /** What outputs were made from, for the cache. */
  readonly made: Made;
}

/** Brings the output up to date: all of it or, when anything is refused, nothing. Takes one artifact at a time and lets it go. */
export function writeArtifacts(artifacts: Iterable<Artifact>, options: WriteOptions, report: Report): WriteResult {
  if (options.mode === "check") return survey(artifacts, options, undefined, report).result();
  let unlock: (() => void) | undefined;
  let staging: Staging | undefined;
  try {
    unlock = lockIfPossible(options.dir);
    recover(options.dir);
    staging = openStaging(options.dir);
    const found = survey(artifacts, options, staging, report);
    if (found.refused) return nothing;
    if (!staging.empty) staging.commit();
    return found.result();
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
  unchanged: 0,
  outputs: new Map(),
  made: new Map(),
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
  report.add("output/cannot-write", undefined, { file: error.refused ?? ".rolecall", ...refusalWords(error) });
}

function isRefusal(error: unknown): error is Refusal {
  return (
    error instanceof Error &&
    typeof (error as Partial<Refusal>).code === "string" &&
    ("refused" in error || "syscall" in error || error.message === "locked" || error.message === "not a folder")
  );
}

interface Survey {
  readonly dir: string;
  readonly existing: ExistingOutput;
  /** Undefined with mode `check`. */
  readonly staging: Staging | undefined;
  readonly report: Report;
  readonly missing: string[];
  readonly differs: string[];
  readonly stale: string[];
  readonly blocked: string[];
  readonly outputs: Map<string, string>;
  readonly made: Map<string, { readonly from: string | undefined; readonly digest: string }>;
  unchanged: number;
  refused: boolean;
  result(): WriteResult;
}

/** Compares every artifact with what lies there; what isn't the same is staged, files.json last. */
function survey(
  artifacts: Iterable<Artifact>,
  options: WriteOptions,
  staging: Staging | undefined,
  report: Report,
): Survey {
  const listFile = path.posix.join(options.out, LIST_NAME);
  const listed = readFileList(options.dir, listFile);
  const former = formerList(options);
  const files: FileList = new Map([...former.files, ...listed.files]);
  const existing = lookAtOutput(options.dir, files, options.ownFolders, options.earlier);
  const found = startSurvey(options.dir, existing, staging, report);
  const encode = createEncoder();
  const made = new Map<string, string>();
  const blocks: ManagedBlock[] = [];
  const keyed: ManagedKeys[] = [];
  for (const artifact of artifacts) {
    if ("block" in artifact) {
      blocks.push(artifact);
      continue;
    }
    if ("keys" in artifact) {
      keyed.push(artifact);
      continue;
    }
    if (made.has(artifact.path)) throw new Error(`two artifacts for ${artifact.path}`);
    const known = madeBefore(artifact, options.earlier, found);
    if (known !== undefined) made.set(artifact.path, known);
    else {
      const bytes = encode("text" in artifact ? [artifact.text] : artifact.chunks);
      const digest = digestOfBytes(bytes);
      made.set(artifact.path, digest);
      found.made.set(artifact.path, { from: artifact.madeFrom, digest });
      take(artifact.path, bytes, digest, found.existing.find(artifact.path, bytes, digest), found);
    }
  }
  const ours = new Set([listFile, ...files.keys(), ...made.keys()]);
  for (const block of blocks) takeBlock(block, ours, found);
  const others = new Set([...ours, ...blocks.map((block) => block.path)]);
  const keys = takeKeys(keyed, new Map([...former.keys, ...listed.keys]), others, found, (say) => refuse(found, say));
  takeStale(files, made, found);
  takeFormerList(former.file, made, found);
  const list = Buffer.from(fileListText(made, keys));
  found.made.set(listFile, { from: undefined, digest: digestOfBytes(list) });
  take(listFile, list, digestOfBytes(list), findList(listFile, list, listed.fault, found), found);
  return found;
}

function startSurvey(dir: string, existing: ExistingOutput, staging: Staging | undefined, report: Report): Survey {
  const found: Survey = {
    dir,
    existing,
    staging,
    report,
    missing: [],
    differs: [],
    stale: [],
    blocked: [],
    outputs: new Map(),
    made: new Map(),
    unchanged: 0,
    refused: false,
    result: () => ({
      missing: sorted(found.missing),
      differs: sorted(found.differs),
      stale: sorted(found.stale),
      blocked: sorted(found.blocked),
      unchanged: found.unchanged,
      outputs: found.outputs,
      made: found.made,
    }),
  };
  return found;
}

/** Digest of the text, when it was made from the same before and what was written then still lies there. */
function madeBefore(
  { path: file, madeFrom }: WholeFile | LargeFile,
  earlier: EarlierBuild | undefined,
  found: Survey,
): string | undefined {
  const known = earlier?.made.get(file);
  const left = earlier?.left(file);
  if (madeFrom === undefined || known?.from !== madeFrom || left === undefined) return undefined;
  if (!found.existing.holds(file, left)) return undefined;
  found.unchanged++;
  found.outputs.set(file, left);
  found.made.set(file, known);
  return known.digest;
}

function take(file: string, bytes: Buffer, digest: string, finding: Finding, found: Survey): void {
  if (finding.state === "same") {
    found.unchanged++;
    found.outputs.set(file, finding.digest);
  } else if (finding.state === "missing" || finding.state === "differs") {
    (finding.state === "missing" ? found.missing : found.differs).push(file);
    found.outputs.set(file, digest);
    if (!found.refused) found.staging?.add(file, bytes, finding.state === "differs" ? finding.digest : undefined);
  } else {
    found.differs.push(file);
    found.blocked.push(file);
    refuse(found, () => found.report.add(`output/${finding.state}`, undefined, { file, what: finding.what }));
  }
}

/** A check only counts differences: what stands in the way is said by the build that it stops. */
function refuse(found: Survey, say: () => void): void {
  if (found.staging === undefined) return;
  found.refused = true;
  say();
}

function takeStale(listed: FileList, made: ReadonlyMap<string, string>, found: Survey): void {
  for (const file of sorted(listed.keys())) {
    if (made.has(file)) continue;
    const finding = found.existing.findStale(file);
    if (finding.state === "stale") {
      found.stale.push(file);
      found.staging?.remove(file, finding.digest);
    } else if (finding.state === "edited") {
      found.stale.push(file);
      refuse(found, () => found.report.add("output/edited", undefined, { file, what: finding.what }));
    }
  }
}

interface FormerList {
  /** Undefined when there is none that is ours. */
  readonly file: string | undefined;
  readonly files: FileList;
  readonly keys: KeyList;
}

function formerList({ dir, out, formerOut }: WriteOptions): FormerList {
  if (formerOut === undefined || formerOut === out) return { file: undefined, files: new Map(), keys: new Map() };
  const file = path.posix.join(formerOut, LIST_NAME);
  const list = readFileList(dir, file);
  return { ...list, file: list.fault === undefined ? file : undefined };
}

function takeFormerList(file: string | undefined, made: ReadonlyMap<string, string>, found: Survey): void {
  if (file === undefined || made.has(file) || found.existing.obstacle(path.posix.dirname(file)) !== undefined) return;
  const bytes = readPlain(path.join(found.dir, file));
  if (bytes === undefined) return;
  found.stale.push(file);
  found.staging?.remove(file, digestOfBytes(bytes));
}

function findList(file: string, list: Buffer, fault: "broken" | "foreign" | undefined, found: Survey): Finding {
  if (fault === "broken") return { state: "edited", what: "it isn't valid JSON" };
  if (fault === "foreign") return { state: "in-the-way", what: "rolecall didn't write it" };
  const finding = found.existing.find(file, list, digestOfBytes(list));
  // The list can't name its own digest. Its shape was seen: it is ours.
  if (finding.state !== "in-the-way" || found.existing.obstacle(path.posix.dirname(file)) !== undefined) return finding;
  const bytes = readPlain(path.join(found.dir, file));
  return bytes ? { state: "differs", digest: digestOfBytes(bytes) } : finding;
}

/** `ours`: files that no block can go into, since the whole of them is made or removed. */
function takeBlock(artifact: ManagedBlock, ours: ReadonlySet<string>, found: Survey): void {
  const broken = (problem: string) => {
    found.differs.push(artifact.path);
    found.blocked.push(artifact.path);
    refuse(found, () => found.report.add("output/broken-block", undefined, { file: artifact.path, problem }));
  };
  const target = userFile(artifact.path, found);
  if (target.problem !== undefined) return broken(target.problem);
  if (ours.has(artifact.path) || ours.has(target.file)) return broken("rolecall writes the whole of that file itself");
  const bytes = target.exists ? readPlain(path.join(found.dir, target.file)) : undefined;
  if (target.exists && bytes === undefined) return broken("the file can't be read");
  if (bytes !== undefined && !isUtf8(bytes)) return broken("the file isn't UTF-8");
  const answer = withBlock(bytes?.toString("utf8"), artifact.block, artifact.comment);
  if (answer.problem !== undefined) return broken(answer.problem);
  const wanted = Buffer.from(answer.text);
  const digest = digestOfBytes(wanted);
  found.outputs.set(artifact.path, digest);
  if (bytes?.equals(wanted)) found.unchanged++;
  else {
    (bytes === undefined ? found.missing : found.differs).push(artifact.path);
    const mode = bytes === undefined ? undefined : statSync(path.join(found.dir, target.file)).mode;
    if (!found.refused) found.staging?.add(target.file, wanted, bytes && digestOfBytes(bytes), mode);
  }
}
