import { statSync } from "node:fs";
import path from "node:path";
import { digestAt, digestOfBytes } from "../bytes.ts";
import { namesIn } from "../read/folder-entries.ts";
import type { Seen } from "../read/project-files.ts";
import type { WriteResult } from "../write/comparison.ts";
import { leftovers } from "../write/staging.ts";

/**
 * All that a check looked at, by content and never by time: while it is the same, so is what was found. The cache of a build
 * lies in the project, where anybody may write it; this is for who keeps it elsewhere.
 */
export interface LookedAt {
  /** By path in the project, with the digest of its bytes; null: it couldn't be read. */
  readonly files: readonly (readonly [file: string, digest: string | null])[];
  /** With a digest of the names in it; null: there was none. */
  readonly folders: readonly (readonly [folder: string, names: string | null])[];
}

export function lookedAt({ files, folders }: Seen, result: Pick<WriteResult, "outputs" | "folders">): LookedAt {
  const read = [...files].map(([file, seen]) => [file, seen?.digest ?? null] as const);
  return {
    files: [...new Map<string, string | null>([...read, ...result.outputs])],
    folders: [...new Map([...result.folders, ...folders])].map(([folder, names]) => [folder, digestOfNames(names)]),
  };
}

export function isAsLookedAt(dir: string, { files, folders }: LookedAt): boolean {
  return (
    leftovers(dir).length === 0 &&
    folders.every(([folder, names]) => digestOfNames(namesIn(path.join(dir, folder))) === names) &&
    files.every(([file, digest]) => holds(path.join(dir, file), digest))
  );
}

function holds(whole: string, digest: string | null): boolean {
  return digest === null ? isMissing(whole) : digestAt(whole) === digest;
}

function isMissing(whole: string): boolean {
  try {
    return statSync(whole, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function digestOfNames(names: readonly string[] | undefined): string | null {
  return names === undefined ? null : digestOfBytes(Buffer.from(names.join("\0")));
}
