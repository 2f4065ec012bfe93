import type { Stretch } from "../../../base/place.ts";
import type { DocumentProblem } from "../problem.ts";
import { lineEndAt } from "../phrase.ts";

/** Where the reader of TOML stands. One for each document, changed as it goes. */
export interface TomlCursor {
  readonly text: string;
  at: number;
  /** The first thing that isn't TOML: the reader stops there. */
  problem: DocumentProblem | undefined;
}

/** What is thrown there, and caught at the reader's door; it never gets out. */
export const notToml = Object.freeze({ reason: "the reader of TOML stops" });

export function stop(c: TomlCursor, problem: DocumentProblem): never {
  c.problem = problem;
  throw notToml;
}

/** `from` to `to`, or to the end of the line. */
export function fail(c: TomlCursor, problem: string, help?: string, from = c.at, to?: number): never {
  const end = to ?? Math.max(from + 1, Math.min(lineEndAt(c.text, from), from + 40));
  return stop(c, { code: "source/toml", at: [from, end], problem, help });
}

export function failTwice(c: TomlCursor, key: string, at: Stretch, first: Stretch): never {
  return stop(c, { code: "source/duplicate-key", at, key, first });
}

/** What stands right here, all of it; undefined, and nothing is passed. `pattern` is sticky. */
export function take(c: TomlCursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = c.at;
  const found = pattern.exec(c.text)?.[0];
  if (found !== undefined) c.at += found.length;
  return found;
}

export function takeWord(c: TomlCursor, word: string): boolean {
  if (!c.text.startsWith(word, c.at)) return false;
  c.at += word.length;
  return true;
}

export function passBlanks(c: TomlCursor): void {
  while (c.text[c.at] === " " || c.text[c.at] === "\t") c.at++;
}

/** Blanks, and a comment that ends the line. */
export function passRest(c: TomlCursor): void {
  passBlanks(c);
  if (c.text[c.at] === "#") c.at = lineEndAt(c.text, c.at);
}

/** Blanks, comments and empty lines. */
export function passLines(c: TomlCursor): void {
  passRest(c);
  while (c.text[c.at] === "\n") {
    c.at++;
    passRest(c);
  }
}
