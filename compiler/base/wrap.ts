import { displayWidth, mostColumns } from "./display-width.ts";

/**
 * Breaks text at spaces to fit `width` columns; later lines start with `indent`. A word that is too long stays whole,
 * so that a path can still be copied. Undefined width: one line, as pipes like it.
 */
export function wrap(text: string, width: number | undefined, indent = ""): string[] {
  return width === undefined ? [text] : atSpaces(text, width, indent, displayWidth);
}

/**
 * For what strangers say: no line is wider, so that a terminal breaks none itself, and begins none at its first column
 * with words of theirs. What is too long is broken wherever the line ends, but for marks, which stay with their letter.
 */
export function wrapWithin(text: string, width: number | undefined, indent = ""): string[] {
  if (width === undefined) return [text];
  return atSpaces(text, width, indent, mostColumns).flatMap((line) => anywhere(line, width, indent));
}

function atSpaces(text: string, width: number, indent: string, columns: (text: string) => number): string[] {
  if (columns(text) <= width) return [text];
  const lines: string[] = [];
  let line = /^ */.exec(text)![0];
  let fresh = true;
  for (const word of text.trimStart().split(" ")) {
    const longer = fresh ? line + word : `${line} ${word}`;
    if (!fresh && columns(longer) > width) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
    fresh = false;
  }
  return [...lines, line];
}

function anywhere(text: string, width: number, indent: string): string[] {
  if (mostColumns(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const [piece] of text.matchAll(WITH_ITS_MARKS)) {
    const columns = mostColumns(piece);
    if (used + columns > width) {
      lines.push(line);
      line = indent;
      used = indent.length;
    }
    line += piece;
    used += columns;
  }
  return [...lines, line];
}

/** More marks than letters have are none of its own. */
const WITH_ITS_MARKS = /.\p{M}{0,2}/gsu;

/** The first sentence of a description, on one line; raw, as it came. */
export function firstSentence(text: string): string {
  return /^.*?(?:[.!?](?=\s)|$)/m.exec(text.trimStart().slice(0, 1000))?.[0] ?? "";
}
