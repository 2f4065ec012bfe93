import { isUtf8 } from "node:buffer";
import { statSync } from "node:fs";
import path from "node:path";
import { sorted } from "../base/order.ts";
import { visible } from "../base/visible.ts";
import { type Conflict, withKeys } from "../4-artifacts/managed-keys.ts";
import { formatAt, mayHaveBeenOurs } from "../4-artifacts/managed-keys/places.ts";
import { pathOfText, textOfPath } from "../4-artifacts/managed-keys/path-text.ts";
import type { OwnedKeys } from "../4-artifacts/managed-keys/types.ts";
import type { ManagedKeys } from "../4-artifacts/types.ts";
import type { Report } from "../diagnostics/report.ts";
import { digestOfBytes, readPlain } from "./bytes.ts";
import type { ExistingOutput } from "./existing-output.ts";
import type { KeyList } from "./file-list.ts";
import { keyLibraries } from "./libraries.ts";
import type { Staging } from "./staging.ts";
import { userFile } from "./user-file.ts";

/** What a survey of the output has of use here. */
interface Survey {
  readonly dir: string;
  readonly existing: Pick<ExistingOutput, "obstacle">;
  readonly staging: Staging | undefined;
  readonly report: Report;
  readonly missing: string[];
  readonly differs: string[];
  readonly stale: string[];
  readonly blocked: string[];
  readonly outputs: Map<string, string>;
  unchanged: number;
  refused: boolean;
}

type Refuse = (say: () => void) => void;

/**
 * Brings our keys in the user's files up to date, and takes them out of files that nothing puts keys into any more. The
 * answer is what stands in files.json from now on. `ours`: files that no key can go into.
 */
export function takeKeys(
  artifacts: readonly ManagedKeys[],
  listed: KeyList,
  ours: ReadonlySet<string>,
  found: Survey,
  refuse: Refuse,
): KeyList {
  const wanted = merged(artifacts);
  const list = new Map<string, OwnedKeys>();
  const changed = new Set<string>();
  for (const file of sorted(new Set([...wanted.keys(), ...listed.keys()]))) {
    const artifact = wanted.get(file) ?? leftBehind(file, listed.get(file)!, ours, found);
    if (artifact === undefined) continue;
    const owned = takeFile(artifact, listed.get(file), ours, changed, found, refuse);
    if (owned !== undefined && artifact.keys.length > 0) list.set(file, owned);
    else if (owned === undefined && listed.has(file)) list.set(file, listed.get(file)!);
  }
  return list;
}

/** A list that names what no host keeps, or what isn't there, is no reason to look at a file. */
function leftBehind(
  file: string,
  { keys }: OwnedKeys,
  ours: ReadonlySet<string>,
  found: Survey,
): ManagedKeys | undefined {
  const format = formatAt(file);
  if (format === undefined || ours.has(file)) return undefined;
  if (![...keys.keys()].some((key) => mayHaveBeenOurs(file, pathOfText(key)))) return undefined;
  const target = userFile(file, found);
  return target.problem === undefined && target.exists ? { path: file, format, keys: [] } : undefined;
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

/** Undefined when it was refused. */
function takeFile(
  artifact: ManagedKeys,
  listed: OwnedKeys | undefined,
  ours: ReadonlySet<string>,
  changed: Set<string>,
  found: Survey,
  refuse: Refuse,
): OwnedKeys | undefined {
  const file = artifact.path;
  const broken = (problem: string) => {
    found.differs.push(file);
    found.blocked.push(file);
    refuse(() => found.report.add("output/broken-keys", undefined, { file, problem }));
    return undefined;
  };
  const target = userFile(file, found);
  if (target.problem !== undefined) return broken(target.problem);
  if (ours.has(file) || ours.has(target.file)) return broken("rolecall writes the whole of that file itself");
  if (changed.has(target.file)) return broken("it is the same file as another that rolecall puts keys into");
  changed.add(target.file);
  const bytes = target.exists ? readPlain(path.join(found.dir, target.file)) : undefined;
  if (target.exists && bytes === undefined) return broken("it can't be read");
  if (bytes !== undefined && !isUtf8(bytes)) return broken("it isn't UTF-8");
  const answer = withKeys(bytes?.toString("utf8"), artifact, listed ?? NOTHING, keyLibraries());
  if (answer.problem !== undefined) return broken(answer.problem);
  if (answer.conflicts !== undefined) {
    found.differs.push(file);
    found.blocked.push(file);
    for (const conflict of answer.conflicts) refuse(() => tell(conflict, file, found.report));
    return undefined;
  }
  const { text } = answer.change;
  stage(artifact, target.file, bytes, text === undefined ? undefined : Buffer.from(text), found);
  return answer.change.owned;
}

const NOTHING: OwnedKeys = { keys: new Map(), before: new Map() };

function tell({ at, kind }: Conflict, file: string, report: Report): void {
  const subject = at.length === 0 ? "somebody changed the text below its front matter" : "somebody changed it";
  const what = kind === "edited" ? subject : `${subject}, and no source makes it any more`;
  const key = visible(at.join("."));
  if (at.length === 0 && kind === "taken") report.add("output/text-taken", undefined, { file });
  else if (at.length === 0) report.add("output/edited", undefined, { file, what });
  else if (kind === "taken") report.add("output/key-taken", undefined, { file, key });
  else report.add("output/edited-key", undefined, { file, key, what });
}

/** `target`: where the bytes really lie, when the file is a link. */
function stage(
  artifact: ManagedKeys,
  target: string,
  before: Buffer | undefined,
  after: Buffer | undefined,
  found: Survey,
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
  // The link is the user's, so what it leads to stays a file.
  else found.staging.add(target, Buffer.from(artifact.format === "json" ? "{}\n" : ""), digest);
}
