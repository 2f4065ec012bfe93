import type { HostData } from "../../base/host-data.ts";
import { sorted } from "../../base/order.ts";
import type { NamePath } from "../../5-artifacts/managed/types.ts";
import type { ManagedKeys } from "../../5-artifacts/types.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { EarlierBuild, Made, MadeKeys } from "../remember/earlier-build.ts";
import type { ExistingOutput, Finding } from "./existing-output.ts";
import { sameButForLayout } from "./layout.ts";
import type { Staging } from "./staging.ts";

/** All paths relative to the project, sorted. With mode `write`, the first three are what was done. */
export interface WriteResult {
  readonly missing: readonly string[];
  readonly differs: readonly string[];
  readonly stale: readonly string[];
  /** Of those that differ: what a build stops at, since rolecall didn't write it or can't read it. */
  readonly blocked: readonly string[];
  /** Of those that differ: what has another layout, and with it nothing else. Only a check looks. */
  readonly respaced: readonly string[];
  readonly unchanged: number;
  /** Digest of every output as it now lies there, for the cache. Empty when something was refused. */
  readonly outputs: ReadonlyMap<string, string>;
  /** What outputs were made from, for the cache. */
  readonly made: Made;
  /** Digests of the values of our keys in files of the user's, for the cache. */
  readonly keys: MadeKeys;
  /** Sorted names in the folders that were searched for what nothing makes, as they are now; for the cache. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** Settings that were something else at the last build: what it wrote there is stale. */
  readonly moved: readonly { readonly key: "out" | "folder"; readonly before: string }[];
}

/** How every output compares with what lies there, as it comes to light. What isn't the same is staged. */
export interface Comparison {
  readonly dir: string;
  /** All that there are: their files may be what an earlier build left. */
  readonly hosts: readonly HostData[];
  readonly existing: ExistingOutput;
  readonly earlier: EarlierBuild | undefined;
  /** Undefined with mode `check`. */
  readonly staging: Staging | undefined;
  readonly report: Report;
  readonly missing: string[];
  readonly differs: string[];
  readonly stale: string[];
  readonly blocked: string[];
  readonly respaced: string[];
  readonly outputs: Map<string, string>;
  readonly made: Map<string, { readonly fingerprint: string | undefined; readonly digest: string }>;
  readonly keys: Map<string, Map<string, string>>;
  readonly folders: Map<string, readonly string[]>;
  /** What was there and isn't as a build on this machine left it, as far as that is known: a file, or a key with its file. */
  readonly unknown: Overwritten[];
  /** Files of the user's that are kept as they are, once it is sure that something is written. */
  readonly kept: { readonly file: string; readonly bytes: Uint8Array }[];
  /** What is told once it is written. */
  readonly told: (() => void)[];
  unchanged: number;
  refused: boolean;
}

export interface Overwritten {
  readonly file: string;
  /** Of a file of the user's: as one says it. */
  readonly part?: string;
  /** The same, with the value that was there as JSON text. */
  readonly key?: { readonly format: ManagedKeys["format"]; readonly at: NamePath; readonly json: string };
}

export function startComparison(
  about: Pick<Comparison, "dir" | "hosts" | "existing" | "earlier" | "staging" | "report">,
): Comparison {
  return {
    ...about,
    missing: [],
    differs: [],
    stale: [],
    blocked: [],
    respaced: [],
    outputs: new Map(),
    made: new Map(),
    keys: new Map(),
    folders: new Map(),
    unknown: [],
    kept: [],
    told: [],
    unchanged: 0,
    refused: false,
  };
}

export function resultOf(found: Comparison, moved: WriteResult["moved"]): WriteResult {
  const { outputs, made, keys, unchanged, folders } = found;
  const [missing, differs] = [sorted(found.missing), sorted(new Set(found.differs))];
  return {
    missing,
    differs,
    stale: sorted(found.stale),
    blocked: sorted(new Set(found.blocked)),
    respaced: sorted(found.respaced),
    unchanged,
    outputs,
    made,
    keys,
    folders,
    moved,
  };
}

/** A whole file of ours. */
export function take(file: string, bytes: Buffer, digest: string, finding: Finding, found: Comparison): void {
  if (finding.state === "same") {
    found.unchanged++;
    found.outputs.set(file, finding.digest);
  } else if (finding.state === "in-the-way") {
    found.differs.push(file);
    found.blocked.push(file);
    refuse(found, () => found.report.add("output/in-the-way", undefined, { file, ...finding.why }));
  } else {
    (finding.state === "missing" ? found.missing : found.differs).push(file);
    found.outputs.set(file, digest);
    if (found.staging === undefined && isRespaced(file, bytes, finding)) found.respaced.push(file);
    const before = finding.state === "differs" ? finding.digest : undefined;
    if (before !== undefined && found.earlier?.left(file) !== before) found.unknown.push({ file });
    if (!found.refused) found.staging?.add(file, bytes, before);
  }
}

function isRespaced(file: string, bytes: Buffer, finding: Finding): boolean {
  if (finding.state !== "differs" || finding.bytes === undefined) return false;
  return sameButForLayout(file, finding.bytes.toString(), bytes.toString());
}

export function takeAway(file: string, digest: string, found: Comparison): void {
  found.stale.push(file);
  if (found.earlier?.left(file) !== digest) found.unknown.push({ file });
  found.staging?.remove(file, digest);
}

/** A check only counts differences: what stands in the way is said by the build that it stops. */
export function refuse(found: Comparison, say: () => void): void {
  if (found.staging === undefined) return;
  found.refused = true;
  say();
}

/** Something of the user's that can't be brought up to date. */
export function block(file: string, found: Comparison, say: () => void): void {
  found.differs.push(file);
  found.blocked.push(file);
  refuse(found, say);
}
