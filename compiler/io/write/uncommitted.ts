import path from "node:path";
import { valueIn } from "../../5-artifacts/managed/keys.ts";
import { readPlain, withoutCarriageReturns } from "../bytes.ts";
import { keyLibraries } from "../libraries.ts";
import { blobsOf } from "../read/git.ts";
import type { Overwritten } from "./comparison.ts";

/** What a merge, a rebase or the like that isn't done yet brings beside HEAD, and what both sides began with. */
const OTHER_SIDES = ["MERGE_HEAD:", "CHERRY_PICK_HEAD:", "REBASE_HEAD:", "REVERT_HEAD^:", ":1:"];

/**
 * Of what is overwritten that which git hasn't, or all where there is no git: it is gone. Git has a file as it lies there;
 * of a key its value, whatever else the file says; and of what a merge put together each line on one of its sides.
 */
export function uncommitted(dir: string, overwritten: readonly Overwritten[]): readonly Overwritten[] {
  const heads = textsAt(dir, ["HEAD:"], overwritten);
  const left = overwritten.filter((one) => !isCommitted(one, dir, heads.get(one.file)));
  const sides = textsAt(dir, OTHER_SIDES, left);
  return left.filter((one) => {
    const others = sides.get(one.file) ?? [];
    return others.length === 0 || !isMerged(one, dir, [...(heads.get(one.file) ?? []), ...others]);
  });
}

function isCommitted({ file, key }: Overwritten, dir: string, texts: readonly Buffer[] = []): boolean {
  const there = plainText(dir, file);
  if (there !== undefined && texts.some((text) => there.equals(text))) return true;
  return (
    key !== undefined &&
    texts.some((text) => valueIn(text.toString("utf8"), key.format, key.at, keyLibraries()) === key.json)
  );
}

function isMerged(one: Overwritten, dir: string, sides: readonly Buffer[]): boolean {
  if (isCommitted(one, dir, sides)) return true;
  const known = new Set(sides.flatMap(linesOf));
  const there = plainText(dir, one.file);
  return there !== undefined && linesOf(there).every((line) => known.has(line) || MARKER.test(line));
}

const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;

function linesOf(text: Buffer): string[] {
  return text.toString("utf8").split("\n");
}

function plainText(dir: string, file: string): Buffer | undefined {
  const bytes = readPlain(path.join(dir, file));
  return bytes && withoutCarriageReturns(bytes);
}

/** By file, as far as git has it. */
function textsAt(
  dir: string,
  revisions: readonly string[],
  overwritten: readonly Overwritten[],
): ReadonlyMap<string, readonly Buffer[]> {
  const files = [...new Set(overwritten.map(({ file }) => file))];
  if (files.length === 0) return new Map();
  const blobs = blobsOf(
    dir,
    files.flatMap((file) => revisions.map((revision) => `${revision}./${file}`)),
  );
  const textsOf = (i: number): Buffer[] =>
    blobs
      .slice(i * revisions.length, (i + 1) * revisions.length)
      .flatMap((blob) => (blob === undefined ? [] : [withoutCarriageReturns(blob)]));
  return new Map(files.map((file, i) => [file, textsOf(i)]));
}
