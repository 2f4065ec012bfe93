import { prepareText } from "./text.ts";

/**
 * A document of another system as one that our readers take, letter for letter at the same place: JSON without comments and
 * without commas before a bracket, of a page its front matter alone. Sources of a project are never read so.
 * Undefined: a page in which there is none, or one that doesn't end.
 */
export function plainText(file: string, raw: string): string | undefined {
  const text = prepareText(raw);
  if (/\.jsonc?$/i.test(file)) return withoutComments(text);
  return /\.(?:md|mdx|mdc|markdown)$/i.test(file) ? frontMatter(text) : text;
}

function withoutComments(text: string): string {
  const withoutNotes = text.replace(TEXT_OR_COMMENT, (piece) => (piece.startsWith('"') ? piece : blankOf(piece)));
  return withoutNotes.replace(TEXT_OR_LAST_COMMA, (piece) => (piece === "," ? " " : piece));
}

const TEXT_OR_COMMENT = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/[^\n\r]*|\/\*[^]*?(?:\*\/|$)/g;
const TEXT_OR_LAST_COMMA = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|,(?=\s*[}\]])/g;

function frontMatter(text: string): string | undefined {
  const found = /^---[ \t]*\n([^]*?\n)?---[ \t]*(?:\n|$)/.exec(text);
  if (found === null) return undefined;
  const start = text.indexOf("\n") + 1;
  const end = start + (found[1]?.length ?? 0);
  return blankOf(text.slice(0, start)) + text.slice(start, end) + blankOf(text.slice(end));
}

function blankOf(text: string): string {
  return text.replace(/[^\n]/g, " ");
}
