import { conflictParts, firstMarker, type Hunk, withSides } from "../../base/conflict-markers.ts";
import type { BrokenKeys, KeyFormat, NamePath } from "./types.ts";

/**
 * A file in which git left conflicts, with those solved that are about our keys alone: both sides say the same once our
 * keys are taken out of them. What our keys then hold doesn't matter, for they are written anew. `end`: what lies behind it
 * stays as it is, unless a conflict reaches into it.
 */
export function withoutConflicts(
  text: string,
  form: KeyFormat,
  ours: readonly NamePath[],
  end = text.length,
): { readonly text: string; readonly problem?: never } | { readonly problem: BrokenKeys } {
  const parts = partsUpTo(text, end) ?? conflictParts(text);
  if (parts === undefined) return { problem: { case: "marker", line: String(lineOfMarker(text)) } };
  const all = parts.filter((part) => typeof part !== "string");
  const said = (theirs: readonly Hunk[]) =>
    restOf(
      withSides(parts, (hunk) => (theirs.includes(hunk) ? "theirs" : "ours")),
      form,
      ours,
    );
  const mine = said([]);
  if (mine !== undefined && mine === said(all)) return { text: withSides(parts, () => "ours") };
  const guilty = all.find((hunk) => mine === undefined || said([hunk]) !== mine) ?? all[0]!;
  return { problem: { case: "conflict", line: String(guilty.line) } };
}

function partsUpTo(text: string, end: number): readonly (string | Hunk)[] | undefined {
  const parts = conflictParts(text.slice(0, end));
  return parts && [...parts, text.slice(end)];
}

/** What is left without our keys; undefined: it can't be read. An object or a header that goes with its last key is nothing. */
function restOf(text: string, form: KeyFormat, ours: readonly NamePath[]): string | undefined {
  const looked = form.look(text);
  if (looked.problem !== undefined) return undefined;
  const there = ours.filter((at) => looked.valueAt(at).json !== undefined);
  const inOrder = there.toSorted((a, b) => Number(a.length > 0) - Number(b.length > 0));
  const rest = inOrder.reduce<string | undefined>(
    (file, at) => (file === undefined ? file : form.remove(file, at)),
    text,
  );
  return rest === undefined ? "" : form.gist(rest);
}

function lineOfMarker(text: string): number {
  return text.slice(0, firstMarker(text)![0]).split("\n").length;
}
