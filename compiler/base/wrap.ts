import { displayWidth } from "./display-width.ts";

/**
 * Breaks text at spaces to fit `width` columns; later lines start with `indent`. A word that is too long stays whole,
 * so that a path can still be copied. Undefined width: one line, as pipes like it.
 */
export function wrap(text: string, width: number | undefined, indent = ""): string[] {
  if (width === undefined || displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = /^ */.exec(text)![0];
  let fresh = true;
  for (const word of text.trimStart().split(" ")) {
    const longer = fresh ? line + word : `${line} ${word}`;
    if (!fresh && displayWidth(longer) > width) {
      lines.push(line);
      line = indent + word;
    } else {
      line = longer;
    }
    fresh = false;
  }
  return [...lines, line];
}

/** The first sentence of a description, on one line; raw, as it came. */
export function firstSentence(text: string): string {
  return /^.*?(?:[.!?](?=\s)|$)/m.exec(text.trimStart().slice(0, 1000))?.[0] ?? "";
}
