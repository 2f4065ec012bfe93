import { characterWidth, displayWidth } from "../base/display-width.ts";
import type { Span } from "../base/place.ts";
import { visible } from "../base/visible.ts";

/** A line of a source file as a terminal can show it, and where the marker stands under it. */
export interface Excerpt {
  readonly text: string;
  /** Columns before the marker. */
  readonly indent: number;
  /** Columns that the marker takes, at least 1. */
  readonly marked: number;
}

interface Cell {
  readonly shown: string;
  readonly width: number;
}

/** More than any terminal shows; a line of a minified file may have a million characters. */
const REACH = 2000;
const TAB = "  ";

/** Cuts a line that is too long so that the marked characters stay in sight. */
export function excerpt(span: Span, width: number, sign = "…"): Excerpt {
  const from = Math.min(span.textColumn - 1, span.text.length);
  const to = Math.max(from, Math.min(from + span.length, span.text.length, from + REACH));
  const before = cells(span.text.slice(Math.max(0, from - REACH), from));
  const marked = cells(span.text.slice(from, to));
  const after = cells(span.text.slice(to, to + REACH));
  const row = [...before, ...marked, ...after];
  const fits = widthOf(row) <= width;
  const [first, last] = fits ? [0, row.length] : windowAround(row, before.length, width - 2 * displayWidth(sign));
  const cutBefore = first > 0 || from > REACH;
  const cutAfter = last < row.length || to + REACH < span.text.length;
  const lead = cutBefore ? sign : "";
  return {
    text: lead + textOf(row.slice(first, last)).trimEnd() + (cutAfter ? sign : ""),
    indent: displayWidth(lead) + widthOf(row.slice(first, before.length)),
    marked: Math.max(1, widthOf(row.slice(before.length, Math.min(last, before.length + marked.length)))),
  };
}

/** Each character in its harmless form; an escape such as `\u202e` is one cell, never cut in two. */
function cells(text: string): Cell[] {
  return Array.from(text, (character) => {
    const shown = character === "\t" ? TAB : visible(character);
    return { shown, width: shown === character ? characterWidth(character) : shown.length };
  });
}

/** The stretch of cells to show: all when it fits, else a third of the room before the marked ones. */
function windowAround(row: readonly Cell[], from: number, room: number): [number, number] {
  let first = growBack(row, from, Math.floor(room / 3));
  let last = from;
  let used = widthOf(row.slice(first, from));
  while (last < row.length && used + row[last]!.width <= room) used += row[last++]!.width;
  first = growBack(row, first, room - used);
  return [first, last];
}

/** As many cells before `start` as fit. */
function growBack(row: readonly Cell[], start: number, room: number): number {
  let first = start;
  let used = 0;
  while (first > 0 && used + row[first - 1]!.width <= room) used += row[--first]!.width;
  return first;
}

function widthOf(row: readonly Cell[]): number {
  return row.reduce((sum, cell) => sum + cell.width, 0);
}

function textOf(row: readonly Cell[]): string {
  return row.map((cell) => cell.shown).join("");
}
