import { withoutTokens } from "../../base/never-shown.ts";

/**
 * The text that every reader of a document sees: no byte order mark, LF alone. Offsets count in this text,
 * so whoever turns an offset into a line must prepare the text first.
 */
export function prepareText(raw: string): string {
  const text = raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw;
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}

/**
 * Control characters, and what looks like nothing or like a line break to some readers only.
 * U+2028 and U+2029 are here because the `yaml` package loses text after them in values of several lines.
 */
const forbidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;

export function findForbiddenCharacter(text: string): number | undefined {
  const at = text.search(forbidden);
  return at === -1 ? undefined : at;
}

export function nameCharacter(character: string): string {
  if (character === "\r") return "a carriage return without a line feed";
  if (character === "\0") return "a NUL character";
  return `the invisible character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** User text for a message: one line, not long. Masked before it is cut: half a token isn't known as one. */
export function shorten(text: string, longest = 60): string {
  const line = withoutTokens(text.split("\n", 1)[0] ?? "");
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}
