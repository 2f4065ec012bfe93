import type { Found } from "./find.ts";
import { behindLine, lineStart, spansOf, type Collection } from "./spans.ts";
import type { Splice, YamlLibrary } from "./types.ts";

interface Text {
  readonly text: string;
  readonly yaml: YamlLibrary;
}

/** Without one entry or item. A collection that loses its last one is written as an empty one. */
export function removeSplices({ holder, index }: Found, { text, yaml }: Text): Splice[] {
  if (holder === undefined) return [];
  const spans = spansOf(holder, yaml);
  if (holder.flow) return removeFromFlow(spans, index, holder, text);
  const { start, end } = spans[index]!;
  if (spans.length === 1) return [{ start, end: trimmed(text, end), text: yaml.isMap(holder) ? " {}" : " []" }];
  const next = spans[index + 1];
  const line = lineStart(text, start);
  if (text.slice(line, start).trim() !== "") {
    // It shares its line with the dash of the list around it.
    const gap = text.slice(trimmed(text, end), next?.start ?? end);
    return [{ start, end: next && !gap.includes("#") ? next.start : trimmed(text, end), text: "" }];
  }
  const behind = behindLine(text, trimmed(text, end));
  const isOpenEnd = behind === text.length && text[behind - 1] !== "\n";
  return [{ start: isOpenEnd && line > 0 ? line - 1 : line, end: behind, text: "" }];
}

/** Without the line breaks behind a text that keeps them. */
function trimmed(text: string, end: number): number {
  return text.slice(0, end).trimEnd().length;
}

type Spans = ReturnType<typeof spansOf>;

function removeFromFlow(spans: Spans, index: number, holder: Collection, text: string): Splice[] {
  const { start, end } = spans[index]!;
  const [before, next] = [spans[index - 1], spans[index + 1]];
  const gap = next ? text.slice(end, next.start) : text.slice(before?.end ?? start, start);
  if (next && !gap.includes("#")) return [{ start, end: next.start, text: "" }];
  if (!next && before && !gap.includes("#")) return [{ start: before.end, end, text: "" }];
  // Comments lie between: the item goes, and a comma by itself.
  const close = holder.range![1] - 1;
  const after = commaIn(text, end, next?.start ?? close);
  const comma = after ?? (before && commaIn(text, before.end, start));
  const own = { start, end, text: "" };
  if (comma === undefined) return [own];
  const cut = { start: comma, end: comma + 1, text: "" };
  return comma < start ? [cut, own] : [own, cut];
}

/** One that isn't a part of a comment. */
function commaIn(text: string, from: number, to: number): number | undefined {
  for (let at = from; at < to; at++) {
    if (text[at] === ",") return at;
    if (text[at] === "#") at = lineEnd(text, at);
  }
  return undefined;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
