import { type TomlCursor, fail, takeWord } from "./cursor.ts";

/** A text in quotes of either kind, of one line or several; undefined where none begins here. */
export function readText(c: TomlCursor, { isKey = false }: { readonly isKey?: boolean } = {}): string | undefined {
  const quote = c.text[c.at];
  if (quote !== '"' && quote !== "'") return undefined;
  const start = c.at;
  if (c.text.startsWith(quote.repeat(3), c.at)) {
    if (isKey) fail(c, "a key is one line", "write it in one pair of quotes", start, start + 3);
    return readLong(c, quote);
  }
  c.at++;
  let text = "";
  for (;;) {
    const part = runOf(c, quote === '"' ? /["\\\n]/g : /['\n]/g);
    if (part === undefined || c.text[c.at] === "\n")
      return fail(c, `a text that begins with ${quote} has no end in its line`, `close it with ${quote}`, start);
    text += part;
    if (c.text[c.at] === "\\") text += readEscape(c);
    else {
      c.at++;
      return text;
    }
  }
}

/** Between three quotes. The line break right behind the first ones isn't part of it. */
function readLong(c: TomlCursor, quote: string): string {
  const start = c.at;
  c.at += 3;
  if (c.text[c.at] === "\n") c.at++;
  let text = "";
  for (;;) {
    const part = runOf(c, quote === '"' ? /["\\]/g : /'/g);
    if (part === undefined)
      return fail(c, "a text in three quotes has no end", `close it with ${quote.repeat(3)}`, start);
    text += part;
    if (c.text[c.at] === "\\") text += passLineEnd(c) ? "" : readEscape(c);
    else {
      const quotes = quotesAt(c, quote);
      c.at += Math.min(quotes, 5);
      // One or two of them right before the end are still text.
      if (quotes >= 3) return text + quote.repeat(Math.min(quotes, 5) - 3);
      text += quote.repeat(quotes);
    }
  }
}

function quotesAt({ text, at }: TomlCursor, quote: string): number {
  let end = at;
  while (text[end] === quote) end++;
  return end - at;
}

/** All before the next such character; undefined: there is none. */
function runOf(c: TomlCursor, stop: RegExp): string | undefined {
  stop.lastIndex = c.at;
  const end = stop.exec(c.text)?.index;
  if (end === undefined) return undefined;
  const part = c.text.slice(c.at, end);
  c.at = end;
  return part;
}

/** A backslash at the end of a line takes the line break with it, and all space behind. */
function passLineEnd(c: TomlCursor): boolean {
  let at = c.at + 1;
  while (c.text[at] === " " || c.text[at] === "\t") at++;
  if (c.text[at] !== "\n") return false;
  while (" \t\n".includes(c.text[at] ?? "x")) at++;
  c.at = at;
  return true;
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};

function readEscape(c: TomlCursor): string {
  const start = c.at;
  const letter = c.text[start + 1] ?? "";
  if (Object.hasOwn(ESCAPES, letter)) {
    c.at += 2;
    return ESCAPES[letter]!;
  }
  const help = "a backslash is written `\\\\`, or the text stands in single quotes";
  if (!takeWord(c, "\\u") && !takeWord(c, "\\U"))
    return fail(c, `\`\\${letter.trim()}\` is no escape`, help, start, start + 2);
  const length = letter === "u" ? 4 : 8;
  const digits = c.text.slice(c.at, c.at + length);
  const code = /^[0-9a-fA-F]+$/.test(digits) && digits.length === length ? Number.parseInt(digits, 16) : -1;
  if (code < 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    return fail(c, `\`\\${letter}\` takes the ${length} hexadecimal digits of a character`, help, start, c.at + length);
  c.at += length;
  return String.fromCodePoint(code);
}
