const BEGIN = ">>> rolecall >>>";
const END = "<<< rolecall <<<";

export type BlockAnswer =
  | { readonly text: string; readonly problem?: never }
  | { readonly problem: BrokenBlock; readonly text?: never };

/** What is wrong with the markers: more than one pair, one of them missing, or the wrong order. */
export type BrokenBlock = "twice" | "no-end" | "no-begin" | "crossed";

/** Puts our lines between the markers of a user's file. Everything else stays as it is, byte for byte, and new lines end as the file's own do. */
export function withBlock(text: string | undefined, block: readonly string[], comment: string): BlockAnswer {
  const lines = linesOf(text ?? "");
  const begins = placesOf(`${comment} ${BEGIN}`, lines);
  const ends = placesOf(`${comment} ${END}`, lines);
  const problem = problemWith(begins, ends);
  if (problem !== undefined) return { problem };
  const ours = [`${comment} ${BEGIN}`, ...block, `${comment} ${END}`];
  const [begin, end] = [begins[0], ends[0]];
  if (begin === undefined || end === undefined)
    return { text: appended(text ?? "", ours, endingOf(lines[0] ?? "") || "\n") };
  const mark = lines[begin]!.startsWith("\uFEFF") ? "\uFEFF" : "";
  const before = lines.slice(0, begin).join("") + mark;
  return { text: before + ours.join(endingOf(lines[begin]!)) + endingOf(lines[end]!) + lines.slice(end + 1).join("") };
}

/** Each with its line break, so that joining them gives the text again. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function placesOf(marker: string, lines: readonly string[]): number[] {
  return lines.flatMap((line, i) => (line.trim().replace(/^\uFEFF/, "") === marker ? [i] : []));
}

function problemWith(begins: readonly number[], ends: readonly number[]): BrokenBlock | undefined {
  if (begins.length > 1 || ends.length > 1) return "twice";
  if (begins.length > ends.length) return "no-end";
  if (begins.length < ends.length) return "no-begin";
  if (begins.length === 1 && begins[0]! > ends[0]!) return "crossed";
  return undefined;
}

function endingOf(line: string): string {
  return line.endsWith("\r\n") ? "\r\n" : line.endsWith("\n") ? "\n" : "";
}

/** At the end, after an empty line. */
function appended(text: string, ours: readonly string[], ending: string): string {
  const gap = text === "" ? "" : text.endsWith("\n") ? (/\n\r?\n$/.test(text) ? "" : ending) : ending + ending;
  return text + gap + ours.join(ending) + ending;
}
