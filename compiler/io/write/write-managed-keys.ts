import { isUtf8 } from "node:buffer";
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { digestOf } from "../../base/digest.ts";
import { firstOf } from "../../base/list-words.ts";
import { sorted } from "../../base/order.ts";
import { visible } from "../../base/visible.ts";
import { PROJECT_FILE } from "../../base/project-layout.ts";
import { type Change, isReadAt, withKeys } from "../../5-artifacts/managed/keys.ts";
import { formatAt, mayHaveBeenOurs } from "../../base/keyed-places.ts";
import { pathOfText, textOfPath } from "../../base/path-text.ts";
import type { NamePath } from "../../5-artifacts/managed/types.ts";
import type { ManagedKeys } from "../../5-artifacts/types.ts";
import type { CaseOf, Report } from "../../diagnostics/report.ts";
import { digestOfBytes, readPlain } from "../bytes.ts";
import type { KeyList } from "../../base/file-list.ts";
import { keptAt } from "./keep-replaced.ts";
import { keyLibraries } from "../libraries.ts";
import { block, type Comparison } from "./comparison.ts";
import { userFile } from "./user-file.ts";

/**
 * Brings our keys in the user's files up to date, and takes them out of files that nothing puts keys into any more. The
 * answer is what stands in files.txt from now on, which is a function of the artifacts alone, but for keys that gave way.
 * `ours`: files that no key can go into.
 */
export function writeManagedKeys(
  artifacts: readonly ManagedKeys[],
  listed: KeyList,
  ours: ReadonlySet<string>,
  found: Comparison,
): KeyList {
  const wanted = merged(artifacts);
  const changed = new Set<string>();
  const put = new Map<string, ReadonlySet<string>>();
  for (const file of sorted(new Set([...wanted.keys(), ...listed.keys()]))) {
    const artifact = wanted.get(file) ?? leftBehind(file, listed.get(file)!, ours, found);
    const left = artifact && takeFile(artifact, listed.get(file) ?? new Set(), ours, changed, found);
    const keys = wanted
      .get(file)
      ?.keys.map(({ at }) => textOfPath(at))
      .filter((key) => !left?.has(key));
    if (keys !== undefined) put.set(file, new Set(keys));
  }
  return put;
}

/** A list that names what no host keeps, or what isn't there, is no reason to look at a file. */
function leftBehind(
  file: string,
  keys: ReadonlySet<string>,
  ours: ReadonlySet<string>,
  found: Comparison,
): ManagedKeys | undefined {
  const format = formatAt(file, found.hosts);
  if (format === undefined || ours.has(file) || isOfAnotherProject(file, found.dir)) return undefined;
  if (![...keys].some((key) => mayHaveBeenOurs(file, pathOfText(key), found.hosts))) return undefined;
  const target = userFile(file, found);
  const isThere = target.problem === undefined ? target.exists : target.problem.case === "too-large";
  return isThere ? { path: file, format, keys: [] } : undefined;
}

/** Below a folder with a rolecall.yaml of its own. */
function isOfAnotherProject(file: string, dir: string): boolean {
  const folder = path.posix.dirname(file);
  if (folder === ".") return false;
  return existsSync(path.join(dir, folder, PROJECT_FILE)) || isOfAnotherProject(folder, dir);
}

/** Several artifacts may put keys into one file; two that put in the same key are a bug. */
function merged(artifacts: readonly ManagedKeys[]): ReadonlyMap<string, ManagedKeys> {
  const files = new Map<string, ManagedKeys>();
  for (const artifact of artifacts) {
    const other = files.get(artifact.path);
    const keys = [...(other?.keys ?? []), ...artifact.keys];
    const places = new Set(keys.map(({ at }) => textOfPath(at)));
    if (places.size < keys.length || (other && other.format !== artifact.format))
      throw new Error(`two artifacts for one key in ${artifact.path}`);
    files.set(artifact.path, { ...artifact, keys });
  }
  return files;
}

/** The answer are keys that gave way to what is the user's. */
function takeFile(
  artifact: ManagedKeys,
  listed: ReadonlySet<string>,
  ours: ReadonlySet<string>,
  changed: Set<string>,
  found: Comparison,
): ReadonlySet<string> | undefined {
  const file = artifact.path;
  const stop = (tell: () => void): undefined => void block(file, found, tell);
  const broken = (problem: CaseOf<"output/broken-keys", "file">) =>
    stop(() => found.report.add("output/broken-keys", undefined, { file, ...problem }));
  const target = userFile(file, found);
  if (target.problem !== undefined) return broken(target.problem);
  if (ours.has(file) || ours.has(target.file)) return broken({ case: "whole" });
  if (changed.has(target.file)) return broken({ case: "same" });
  changed.add(target.file);
  const bytes = target.exists ? readPlain(path.join(found.dir, target.file)) : undefined;
  if (target.exists && bytes === undefined) return broken({ case: "unreadable" });
  if (bytes !== undefined && !isUtf8(bytes)) return broken({ case: "not-text" });
  const answer = withKeys(bytes?.toString("utf8"), artifact, listed, keyLibraries(), found.hosts);
  if (answer.problem !== undefined) return broken(answer.problem);
  if (answer.taken !== undefined) {
    const { taken } = answer;
    return stop(() => taken.forEach((at) => tell(at, artifact, found.report)));
  }
  if (isLeftOpen(artifact, answer.change))
    return stop(() => found.report.add("output/left-agent", undefined, { file }));
  const isKnown = note(artifact, answer.change, found);
  tellTakenOut(artifact, answer.change, found);
  if (bytes !== undefined && !isKnown) found.kept.push({ file, bytes });
  const { text, left = [] } = answer.change;
  stage(artifact, target.file, bytes, text === undefined ? undefined : Buffer.from(text), found);
  for (const at of left) found.report.add("output/gives-way", undefined, { file, key: visible(at.join(".")) });
  return new Set(left.map(textOfPath));
}

/** An agent of a role that is gone, with text or keys of the user's: without ours it would be an agent that may use every tool. */
function isLeftOpen({ format, keys }: ManagedKeys, { text }: Change): boolean {
  return format === "front-matter" && keys.length === 0 && text !== undefined;
}

function tell(at: NamePath, { path: file, read }: ManagedKeys, report: Report): void {
  if (isReadAt(at, read)) report.add("output/key-read", undefined, { file, key: visible(at.join(".")) });
  else if (at.length === 0) report.add("output/text-taken", undefined, { file });
  else report.add("output/key-taken", undefined, { file, key: visible(at.join(".")) });
}

/** A value that the last build didn't write may be the user's: it is named in the output. The values written now are remembered. */
function note(artifact: ManagedKeys, change: Change, found: Comparison): boolean {
  const { path: file, format, keys } = artifact;
  const { replaced, left = [] } = change;
  const unknown = replaced.filter(({ at, json }) => found.earlier?.key(file, textOfPath(at)) !== digestOf(json));
  const told = takenOut(artifact, change, found);
  for (const { at, json } of unknown.filter((one) => !told.includes(one.at)))
    found.unknown.push({ file, part: at.length === 0 ? "its text" : at.join("."), key: { format, at, json } });
  const put = keys.filter(({ at }) => !left.includes(at));
  if (put.length > 0)
    found.keys.set(file, new Map(put.map(({ at, value }) => [textOfPath(at), digestOf(JSON.stringify(value))])));
  return unknown.length === 0;
}

/** Of a team's servers that became sources: what no build here wrote, and none makes. */
function takenOut({ path: file, format }: ManagedKeys, { gone = [] }: Change, found: Comparison): readonly NamePath[] {
  return format === "json" ? gone.filter((at) => found.earlier?.key(file, textOfPath(at)) === undefined) : [];
}

function tellTakenOut(artifact: ManagedKeys, change: Change, found: Comparison): void {
  const names = takenOut(artifact, change, found).map((at) => `\`${visible(at.join("."))}\``);
  if (names.length === 0) return;
  const { path: file, keys } = artifact;
  found.told.push(() =>
    found.report.add("output/taken-out", undefined, {
      file,
      keys: firstOf(names),
      became: `${names.length === 1 ? "is" : "are"} taken`,
      case: change.text === undefined ? "emptied" : keys.length === 0 ? "without" : "fewer",
      copy: keptAt(file),
    }),
  );
}

/** `target`: where the bytes really lie, when the file is a link. */
function stage(
  artifact: ManagedKeys,
  target: string,
  before: Buffer | undefined,
  after: Buffer | undefined,
  found: Comparison,
): void {
  const file = artifact.path;
  const isWanted = artifact.keys.length > 0;
  if (after !== undefined && isWanted) found.outputs.set(file, digestOfBytes(after));
  if (before === undefined ? after === undefined : after !== undefined && before.equals(after)) {
    if (isWanted) found.unchanged++;
    return;
  }
  (before === undefined ? found.missing : after === undefined ? found.stale : found.differs).push(file);
  if (found.refused || found.staging === undefined) return;
  const digest = before && digestOfBytes(before);
  if (after !== undefined) {
    const mode = before && statSync(path.join(found.dir, target)).mode;
    found.staging.add(target, after, digest, mode);
  } else if (target === file) found.staging.remove(file, digest!);
  // Reached by a link of the user's: the file stays, emptied, so that the link still leads somewhere.
  else found.staging.add(target, Buffer.from(artifact.format === "json" ? "{}\n" : ""), digest);
}
