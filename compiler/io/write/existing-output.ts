import { lstatSync } from "node:fs";
import path from "node:path";
import { bearsHeader, HEADER_WITHIN } from "../../base/bears-header.ts";
import { blocksAtOwnPlace } from "../../base/source-blocks.ts";
import type { CaseOf } from "../../diagnostics/report.ts";
import {
  beginOf,
  digestAt,
  digestOfBytes,
  LARGEST_FILE,
  plainBytes,
  readPlainText,
  withoutCarriageReturns,
} from "../bytes.ts";
import type { EarlierBuild } from "../remember/earlier-build.ts";
import { leadsAstray, openRealPaths, type Astray } from "../read/real-paths.ts";

/** What lies at a place of ours, against what should lie there. */
export type Finding =
  | { readonly state: "same"; readonly digest: string }
  | { readonly state: "missing" }
  /** `bytes`: left out of a file that is too large to be looked into. */
  | { readonly state: "differs"; readonly digest: string; readonly bytes?: Buffer }
  | { readonly state: "in-the-way"; readonly why: InTheWay };

/** What keeps a build from a place, in the catalogue's cases. */
type InTheWay = CaseOf<"output/in-the-way", "file">;
export type Obstacle = { readonly folder: string } & (
  | { readonly case: "outside" | "nowhere" | "closed" | "leaves" | "file" }
  | Astray
);

export interface ExistingOutput {
  find(file: string, wanted: Buffer, digest: string): Finding;
  /** Nothing is there, and something can be. */
  isFree(file: string): boolean;
  /** A plain file with this digest lies there. */
  holds(file: string, digest: string): boolean;
  /** Digest of a file that belongs to the build and that no artifact makes any more; undefined: no such file, or not the build's. */
  findStale(file: string): string | undefined;
  /** Where a path of the project leads, by links or on its file system, to a source or another program's file. */
  astray(file: string, real: string): Astray | undefined;
  /** Why nothing can be written below a folder; undefined when all is well. */
  obstacle(folder: string): Obstacle | undefined;
}

/** How a file is known as the build's that doesn't bear the header. */
export interface Ownership {
  /** Named by a list, which makes it ours at a place of ours, and nowhere else. */
  isListed(file: string): boolean;
  /** By its place and what it holds. */
  isOwnText(file: string, text: string): boolean;
  /** By its place and name alone. */
  isOwnPlace(file: string): boolean;
  /** There a file that is listed goes, header or not, once nothing makes it. */
  goesByList(file: string): boolean;
}

/** `earlier`: what it knows of a file by its stats isn't read again. `sources`: the folder of these, which no link may lead into. */
export function lookAtOutput(
  dir: string,
  ownership: Ownership,
  earlier?: Pick<EarlierBuild, "digestBy">,
  sources?: string,
): ExistingOutput {
  const obstacle = obstacles(dir, sources);
  // Larger than what is wanted with every line end turned into two characters: it is something else, and isn't looked into.
  const findLarge = (file: string): Finding => {
    const digest = ownership.isListed(file) || ownership.isOwnPlace(file) ? digestAt(path.join(dir, file)) : undefined;
    return digest === undefined ? { state: "in-the-way", why: { case: "too-large" } } : { state: "differs", digest };
  };
  return {
    obstacle,
    astray: (file, real) => leadsAstray(file, real, openRealPaths(dir), sources),
    find: (file, wanted, digest) => {
      const inTheWay = obstacle(path.posix.dirname(file));
      if (inTheWay !== undefined) return { state: "in-the-way", why: inTheWay };
      const stats = lstatSync(path.join(dir, file), { throwIfNoEntry: false });
      if (stats === undefined) return { state: "missing" };
      if (!stats.isFile()) return { state: "in-the-way", why: { case: stats.isDirectory() ? "folder" : "not-plain" } };
      if (earlier?.digestBy(file, stats) === digest) return { state: "same", digest };
      if (stats.size > Math.max(LARGEST_FILE, 2 * wanted.length)) return findLarge(file);
      const bytes = plainBytes(path.join(dir, file), Infinity);
      if (bytes.equals(wanted) || withoutCarriageReturns(bytes).equals(wanted))
        return { state: "same", digest: digestOfBytes(bytes) };
      const isOurs = ownership.isListed(file) || ownership.isOwnPlace(file) || isHeaded(bytes);
      return isOurs || ownership.isOwnText(file, bytes.toString("utf8"))
        ? { state: "differs", digest: digestOfBytes(bytes), bytes }
        : { state: "in-the-way", why: { case: "foreign" } };
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
      if (obstacle(path.posix.dirname(file)) !== undefined) return undefined;
      if (!lstatSync(path.join(dir, file), { throwIfNoEntry: false })?.isFile()) return undefined;
      const whole = path.join(dir, file);
      const goes =
        (ownership.isOwnPlace(file) && holdsNoBlocks(file, whole)) ||
        (ownership.isListed(file) && ownership.goesByList(file)) ||
        isHeaded(beginOf(whole, HEADER_WITHIN));
      return goes ? digestAt(whole) : undefined;
    },
  };
}

function isHeaded(bytes: Buffer | undefined): boolean {
  return bytes !== undefined && bearsHeader(bytes.toString("utf8", 0, HEADER_WITHIN));
}

/** What is too large to be read may hold some. */
function holdsNoBlocks(file: string, whole: string): boolean {
  const text = readPlainText(whole);
  return text !== undefined && blocksAtOwnPlace(file, text).length === 0;
}

/** Each folder is asked once. */
function obstacles(dir: string, sources: string | undefined): (folder: string) => Obstacle | undefined {
  const paths = openRealPaths(dir);
  const known = new Map<string, Obstacle | undefined>();
  const ask = (folder: string): Obstacle | undefined => {
    if (folder === "." || folder === "") return undefined;
    if (known.has(folder)) return known.get(folder);
    const answer = ask(path.posix.dirname(folder)) ?? look(folder);
    known.set(folder, answer);
    return answer;
  };
  const look = (folder: string): Obstacle | undefined => {
    if (folder.split("/").includes("..")) return { case: "outside", folder };
    const real = paths.real(folder);
    if (real.problem === "missing") {
      return lstatSync(path.join(dir, folder), { throwIfNoEntry: false }) ? { case: "nowhere", folder } : undefined;
    }
    if (real.problem !== undefined) return { case: "closed", folder };
    if (!real.inside) return { case: "leaves", folder };
    const astray = leadsAstray(folder, real.path, paths, sources);
    if (astray !== undefined) return { ...astray, folder };
    return lstatSync(real.path).isDirectory() ? undefined : { case: "file", folder };
  };
  return ask;
}
