import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { hashHeader, header, jsonHeader, markdownHeader } from "../4-artifacts/header.ts";
import { digestAt, digestOfBytes, withoutCarriageReturns } from "./bytes.ts";
import type { EarlierBuild } from "./earlier-build.ts";
import type { FileList } from "./file-list.ts";
import { openRealPaths } from "./real-paths.ts";

/** What lies at a place of ours, against what should lie there. */
export type Finding =
  | { readonly state: "same"; readonly digest: string }
  | { readonly state: "missing" }
  | { readonly state: "differs"; readonly digest: string }
  | { readonly state: "in-the-way" | "edited"; readonly what: string };

export interface ExistingOutput {
  find(file: string, wanted: Buffer, digest: string): Finding;
  /** Nothing is there, and something can be. */
  isFree(file: string): boolean;
  /** A plain file with this digest lies there. */
  holds(file: string, digest: string): boolean;
  /** For a file that is listed and no longer made. `left`: somebody took our header off, so it is theirs now. */
  findStale(
    file: string,
  ):
    | { readonly state: "gone" | "left" }
    | { readonly state: "stale"; readonly digest: string }
    | { readonly state: "edited"; readonly what: string };
  /** Why nothing can be written below a folder; undefined when all is well. */
  obstacle(folder: string): string | undefined;
}

/**
 * `ownFolders`: hold nothing but our output, so that a file there needs no header to be known by its digest. `earlier`:
 * what it knows of a file by its stats isn't read again.
 */
export function lookAtOutput(
  dir: string,
  listed: FileList,
  ownFolders: readonly string[] = [],
  earlier?: Pick<EarlierBuild, "digestBy">,
): ExistingOutput {
  const obstacle = obstacles(dir);
  return {
    obstacle,
    find: (file, wanted, digest) => {
      const inTheWay = obstacle(path.posix.dirname(file));
      if (inTheWay !== undefined) return { state: "in-the-way", what: inTheWay };
      const stats = lstatSync(path.join(dir, file), { throwIfNoEntry: false });
      if (stats === undefined) return { state: "missing" };
      if (!stats.isFile())
        return { state: "in-the-way", what: stats.isDirectory() ? "it is a folder" : "it is no plain file" };
      if (earlier?.digestBy(file, stats) === digest) return { state: "same", digest };
      return compared(readFileSync(path.join(dir, file)), wanted, listed.get(file));
    },
    isFree: (file) =>
      obstacle(path.posix.dirname(file)) === undefined &&
      lstatSync(path.join(dir, file), { throwIfNoEntry: false }) === undefined,
    holds: (file, digest) => {
      if (obstacle(path.posix.dirname(file)) !== undefined) return false;
      const stats = lstatSync(path.join(dir, file), { throwIfNoEntry: false });
      if (!stats?.isFile()) return false;
      return (earlier?.digestBy(file, stats) ?? digestAt(path.join(dir, file))) === digest;
    },
    findStale: (file) => {
      if (obstacle(path.posix.dirname(file)) !== undefined) return { state: "gone" };
      if (!lstatSync(path.join(dir, file), { throwIfNoEntry: false })?.isFile()) return { state: "gone" };
      const bytes = readFileSync(path.join(dir, file));
      const untouched = isDigestOf(listed.get(file), bytes);
      const isAmongOurs = file.endsWith("/access.json") || ownFolders.some((folder) => file.startsWith(`${folder}/`));
      if (untouched && (isAmongOurs || hasHeader(bytes))) return { state: "stale", digest: digestOfBytes(bytes) };
      return hasHeader(bytes)
        ? { state: "edited", what: "somebody changed it, and no source makes it any more" }
        : { state: "left" };
    },
  };
}

function compared(bytes: Buffer, wanted: Buffer, listed: string | undefined): Finding {
  if (bytes.equals(wanted) || withoutCarriageReturns(bytes).equals(wanted))
    return { state: "same", digest: digestOfBytes(bytes) };
  if (listed !== undefined) {
    return isDigestOf(listed, bytes)
      ? { state: "differs", digest: digestOfBytes(bytes) }
      : { state: "edited", what: "somebody changed it" };
  }
  return hasHeader(bytes)
    ? { state: "differs", digest: digestOfBytes(bytes) }
    : { state: "in-the-way", what: "rolecall didn't write it" };
}

function isDigestOf(listed: string | undefined, bytes: Buffer): boolean {
  return listed === digestOfBytes(bytes) || listed === digestOfBytes(withoutCarriageReturns(bytes));
}

const HEADERS = [header, hashHeader, markdownHeader].map((text) => Buffer.from(text.split("\n", 1)[0]!));

function hasHeader(bytes: Buffer): boolean {
  return HEADERS.some((line) => beginsWithLine(bytes, line)) || hasJsonHeader(bytes);
}

/** Behind it the line may say more: a runtime its version. */
function beginsWithLine(bytes: Buffer, line: Buffer): boolean {
  return (
    bytes.subarray(0, line.length).equals(line) &&
    (bytes.length === line.length || [10, 13, 32].includes(bytes[line.length]!))
  );
}

function hasJsonHeader(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, jsonHeader.length + 20);
  const brace = /^\{\s*/.exec(start);
  return brace !== null && start.startsWith(jsonHeader, brace[0].length);
}

/** Each folder is asked once. */
function obstacles(dir: string): (folder: string) => string | undefined {
  const paths = openRealPaths(dir);
  const known = new Map<string, string | undefined>();
  const ask = (folder: string): string | undefined => {
    if (folder === "." || folder === "") return undefined;
    if (known.has(folder)) return known.get(folder);
    const answer = ask(path.posix.dirname(folder)) ?? look(folder);
    known.set(folder, answer);
    return answer;
  };
  const look = (folder: string): string | undefined => {
    if (folder.split("/").includes("..")) return `\`${folder}\` is outside the project`;
    const real = paths.real(folder);
    if (real.problem === "missing") {
      return lstatSync(path.join(dir, folder), { throwIfNoEntry: false })
        ? `\`${folder}\` is a link that leads nowhere`
        : undefined;
    }
    if (real.problem !== undefined) return `\`${folder}\` can't be entered`;
    if (!real.inside) return `\`${folder}\` is a link that leaves the project`;
    return lstatSync(real.path).isDirectory() ? undefined : `\`${folder}\` is a file, and a folder is needed there`;
  };
  return ask;
}
