/**
 * About how many tokens a text costs a model, without a tokenizer: within a tenth of what `o200k_base` counts over the
 * definitions of a real server, and meant for nothing else. The text is cut from left to right as tokenizers cut it:
 *
 * | piece | tokens |
 * |---|---|
 * | a word, with one blank or one sign before it; a capital begins another word | 1.02, and a tenth for each letter after the twelfth; behind a single sign, and in capitals, after the second |
 * | up to three digits | 1 |
 * | signs beside each other | 1 up to three, and 0.45 for each more |
 * | other blanks beside each other | 1 |
 * | a letter or sign beyond ASCII | 0.8 |
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    const kind = kindOf(text.charCodeAt(at));
    const end = endOfRun(text, at, kind);
    tokens += tokensOf(text, at, end, kind);
    at = end;
  }
  return Math.round(tokens);
}

const BLANK = 0;
const DIGIT = 1;
const LETTER = 2;
const CAPITAL = 3;
const SIGN = 4;
const FOREIGN = 5;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LETTER;
  if (code <= 32) return BLANK;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 65 && code <= 90) return CAPITAL;
  return code < 128 ? SIGN : FOREIGN;
}

function kindAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? kindOf(text.charCodeAt(at)) : -1;
}

/** Where the run ends that begins there: capitals belong to the letters behind them. */
function endOfRun(text: string, from: number, kind: number): number {
  let at = from + 1;
  while (kindAt(text, at) === kind) at++;
  if (kind === CAPITAL) while (kindAt(text, at) === LETTER) at++;
  return at;
}

function tokensOf(text: string, at: number, end: number, kind: number): number {
  const length = end - at;
  if (kind === DIGIT) return Math.ceil(length / 3);
  if (kind === FOREIGN) return length * 0.8;
  if (kind === LETTER || kind === CAPITAL) return wordTokens(text, at, length);
  const next = kindAt(text, end);
  const isTaken = length === 1 && (next === LETTER || next === CAPITAL || (kind === BLANK && next === SIGN));
  return isTaken ? 0 : 1 + (kind === SIGN ? Math.max(0, length - 3) * 0.45 : 0);
}

function wordTokens(text: string, at: number, length: number): number {
  const isBehindSign = kindAt(text, at - 1) === SIGN && kindAt(text, at - 2) !== SIGN;
  const isInCapitals = kindAt(text, at) === CAPITAL && kindAt(text, at + 1) === CAPITAL;
  return 1.02 + Math.max(0, length - (isBehindSign || isInCapitals ? 2 : 12)) / 10;
}
