/** How many columns of a terminal a text takes, for tables and markers. The text has been through `visible`. */
const PLAIN = /^[\x20-\x7e]*$/;
const NOTHING = /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]$/u;
/** Or what is drawn on one. */
const LETTER = /^(?!\p{Extended_Pictographic})[\p{L}\p{M}\p{Nd}]$/u;
const WIDE_EMOJI = /^\p{Emoji_Presentation}$/u;

/** East Asian wide and full-width blocks, by first and last code point. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1aff0, 0x1b2ff],
  [0x20000, 0x3fffd],
];

export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** One character (code point), of any kind. */
export function characterWidth(character: string): 0 | 1 | 2 {
  const code = character.codePointAt(0)!;
  if (code < 0x300) return 1;
  if (NOTHING.test(character)) return 0;
  return WIDE_EMOJI.test(character) || WIDE.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** Terminals differ, by font, age and setting, in what they draw signs and marks in: the most that it is. Not so letters. */
export function mostColumns(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += mostOf(character);
  return width;
}

function mostOf(character: string): number {
  if (PLAIN.test(character)) return 1;
  return LETTER.test(character) ? Math.max(1, characterWidth(character)) : 2;
}

/** Cut to at most `width` columns; `sign` stands where something was taken. */
export function cutToWidth(text: string, width: number, sign: string): string {
  if (displayWidth(text) <= width) return text;
  const room = width - displayWidth(sign);
  let kept = "";
  let used = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > room) break;
    kept += character;
  }
  return room < 0 ? "" : kept + sign;
}

export function padToWidth(text: string, width: number, side: "left" | "right" = "left"): string {
  const blank = " ".repeat(Math.max(0, width - displayWidth(text)));
  return side === "left" ? text + blank : blank + text;
}
