/**
 * The words of a command line of bash up to the cursor. Bash itself splits at `:` and `=` too and keeps quotes; what is
 * meant by the quotes is read here, and nothing is expanded.
 */
export interface BashLine {
  /** Without quotes; the last is the one that is being typed, maybe empty. */
  readonly words: readonly string[];
  /** Of the last word: what bash leaves standing before the part that it replaces. */
  readonly kept: string;
  /** The last word is in a quote that isn't closed yet. */
  readonly isInQuote: boolean;
}

/** `replaced`: the part of the last word that bash replaces, as it calls it. */
export function readBashLine(line: string, replaced: string): BashLine {
  const words: string[] = [];
  let rest = line.trimStart();
  let last = read("");
  for (; rest !== ""; rest = last.rest.trimStart()) {
    last = read(rest);
    words.push(last.word);
    if (last.rest === "") break;
    if (last.rest.trimStart() === "") {
      last = read("");
      words.push("");
      break;
    }
  }
  const part = /^[:=]$/.test(replaced) ? "" : replaced;
  const kept = last.raw.endsWith(part) ? read(last.raw.slice(0, last.raw.length - part.length)).word : "";
  return { words: words.length === 0 ? [""] : words, kept: last.isInQuote ? "" : kept, isInQuote: last.isInQuote };
}

interface ReadWord {
  readonly word: string;
  readonly raw: string;
  readonly rest: string;
  readonly isInQuote: boolean;
}

function read(text: string): ReadWord {
  let word = "";
  let quote = "";
  let at = 0;
  for (; at < text.length; at++) {
    const letter = text[at]!;
    if (quote === "" && /\s/.test(letter)) break;
    if (letter === quote) quote = "";
    else if (quote === "" && /['"]/.test(letter)) quote = letter;
    else if (letter === "\\" && quote !== "'" && at + 1 < text.length) word += text[++at]!;
    else word += letter;
  }
  return { word, raw: text.slice(0, at), rest: text.slice(at), isInQuote: quote !== "" };
}
