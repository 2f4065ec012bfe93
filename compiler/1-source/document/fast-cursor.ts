/** Where the fast reader stands. One per document, changed as it goes. */
export interface Cursor {
  readonly text: string;
  /** The next character of interest. */
  at: number;
  /** Column of the line's first character; of an entry's, where it begins behind a dash. -1: the text is over. */
  indent: number;
  lineEnd: number;
  /** The first colon with a blank behind it, and the first ` #`, that aren't passed yet: found once for many lines. The text's length: there is none. */
  colon: number;
  hash: number;
  readonly doubleQuoted: RegExp;
  readonly singleQuoted: RegExp;
  readonly flowPlain: RegExp;
}

export function createCursor(text: string): Cursor {
  return {
    text,
    at: 0,
    indent: 0,
    lineEnd: -1,
    colon: -1,
    hash: -1,
    doubleQuoted: /"[^"\\\n]*(?:\\["\\/nt][^"\\\n]*)*"/y,
    singleQuoted: /'[^'\n]*(?:''[^'\n]*)*'/y,
    // Stops before a flow indicator, a colon with a blank or an indicator behind it, and ` #`.
    flowPlain: /(?: *[^ ,[\]{}:#\n]| *:(?![ ,[\]{}\n]|$)|#)+/y,
  };
}

/** What `unsure` throws and the door of the fast reader catches; it never gets out. */
export const notSure = Object.freeze({ reason: "the fast reader gives up" });

export function unsure(): never {
  throw notSure;
}

/** On longer ones the regular expressions could run out of stack. */
const longestLine = 20_000;

/** On to the next line that says something. */
export function nextLine(c: Cursor): void {
  const { text } = c;
  let start = c.lineEnd + 1;
  while (start < text.length) {
    let at = start;
    while (text.charCodeAt(at) === 0x20) at++;
    const first = text.charCodeAt(at);
    if (first === 0x0a || at === text.length) {
      start = at + 1;
      continue;
    }
    const end = text.indexOf("\n", at);
    c.lineEnd = end === -1 ? text.length : end;
    if (c.lineEnd - start > longestLine) unsure();
    if (first === 0x23) {
      start = c.lineEnd + 1;
      continue;
    }
    c.at = at;
    c.indent = at - start;
    if (c.indent === 0 && (first === 0x2d || first === 0x2e)) refuseMarker(text, at);
    return;
  }
  c.indent = -1;
}

function refuseMarker(text: string, at: number): void {
  if (text.startsWith("---", at) || text.startsWith("...", at)) unsure();
}

export function skipSpaces(c: Cursor, at: number): number {
  while (c.text.charCodeAt(at) === 0x20) at++;
  return at;
}

/** The first colon at or behind `from` that ends a key, wherever it is; `from` only ever grows. */
export function nextKeyColon(c: Cursor, from: number): number {
  if (c.colon < from) {
    let at = c.text.indexOf(":", from);
    while (at !== -1 && !isBlank(c.text.charCodeAt(at + 1))) at = c.text.indexOf(":", at + 1);
    c.colon = at === -1 ? c.text.length : at;
  }
  return c.colon;
}

/** A space, a line feed, or NaN: the end of the text. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code !== code;
}

/** Where the line's comment begins, or the line's end. */
export function textEnd(c: Cursor, from: number): number {
  if (c.hash < from) {
    const at = c.text.indexOf(" #", from);
    c.hash = at === -1 ? c.text.length : at;
  }
  return Math.min(c.hash, c.lineEnd);
}
