/** A stretch that git couldn't merge, without its markers; `base` is what both sides began from (diff3), where it is told. */
export interface Hunk {
  /** Of its first marker, counted from 1. */
  readonly line: number;
  readonly ours: string;
  readonly theirs: string;
  readonly base: string;
}

/** A line that only git writes. `=======` alone isn't one: it underlines titles. */
const MARKER = /^(?:<{7}|\|{7}|>{7}) .*$/m;

/** Where the first line stands that git marked a conflict with. A text within a block of YAML is indented, so it is none. */
export function firstMarker(text: string): readonly [start: number, end: number] | undefined {
  if (!["<<<<<<< ", "||||||| ", ">>>>>>> "].some((marker) => text.includes(marker))) return undefined;
  const found = MARKER.exec(text);
  return found === null ? undefined : [found.index, found.index + found[0].trimEnd().length];
}

/** Lines, from 1, at which further conflicts begin; a marker that lost the first of its own begins one. */
function furtherConflicts(text: string): readonly number[] {
  const began: number[] = [];
  let isOpen = false;
  for (const [i, line] of text.split("\n").entries()) {
    if (!MARKER.test(line)) continue;
    if (line[0] === "<" || !isOpen) began.push(i + 1);
    isOpen = line[0] !== ">";
  }
  return began.slice(1);
}

/** As the message says it, behind the first of them. */
export function furtherWords(text: string): string {
  const lines = furtherConflicts(text).map(String);
  if (lines.length === 0) return "";
  return lines.length === 1
    ? `, and another in line ${lines[0]}`
    : `, and ${lines.length} more, in lines ${someOf(lines)}`;
}

const MOST_LINES = 12;

function someOf(lines: readonly string[]): string {
  return lines.slice(0, MOST_LINES).join(", ") + (lines.length > MOST_LINES ? " ..." : "");
}

/** Whether a line is one of the four markers, `=======` included. */
export function isMarker(line: string): boolean {
  return /^(?:<{7}|\|{7}|={7}|>{7})(?: .*)?$/.test(line);
}

/** Where each line stands that may be a marker. */
export function markerLines(text: string): readonly number[] {
  return [...text.matchAll(/^(?:<{7}|\|{7}|={7}|>{7})/gm)].map(({ index }) => index);
}

type Side = "both" | "ours" | "base" | "theirs";

/** What follows a marker, by its first character; it counts only where it may stand. */
const NEXT: Readonly<Record<string, { readonly after: readonly Side[]; readonly side: Side }>> = {
  "<": { after: ["both"], side: "ours" },
  "|": { after: ["ours"], side: "base" },
  "=": { after: ["ours", "base"], side: "theirs" },
  ">": { after: ["theirs"], side: "both" },
};

/** The text that wasn't in conflict, and the hunks between. Undefined: there is none, or a marker has no partner. */
export function conflictParts(text: string): readonly (string | Hunk)[] | undefined {
  const parts: (string | Hunk)[] = [];
  const held: Record<Side, string> = { both: "", ours: "", base: "", theirs: "" };
  let side: Side = "both";
  let began = 0;
  for (const [i, line] of text.split(/(?<=\n)/).entries()) {
    const mark = isMarker(line.trimEnd()) ? NEXT[line[0]!]! : undefined;
    if (mark === undefined) held[side] += line;
    else if (!mark.after.includes(side)) {
      // A title that is underlined, outside of every hunk.
      if (line[0] !== "=" || side !== "both") return undefined;
      held.both += line;
    } else {
      side = mark.side;
      if (side === "ours") {
        began = i + 1;
        parts.push(held.both);
      } else if (side === "both") {
        parts.push({ line: began, ours: held.ours, theirs: held.theirs, base: held.base });
        Object.assign(held, { both: "", ours: "", base: "", theirs: "" });
      }
    }
  }
  if (side !== "both" || parts.length === 0) return undefined;
  return [...parts, held.both];
}

/** The text as it would be with one side of every hunk, or with the side that is said for each. */
export function withSides(parts: readonly (string | Hunk)[], side: (hunk: Hunk) => "ours" | "theirs" | "base"): string {
  return parts.map((part) => (typeof part === "string" ? part : part[side(part)])).join("");
}
