/**
 * JSON that two readers could read differently: a key written twice, a number that no double holds, half
 * a surrogate pair, nesting without end. `JSON.parse` passes all of them, and the value no longer shows it.
 */
import { MAX_DEPTH } from "./canonical.ts";
import { isObject, type JsonValue } from "./json.ts";
import { firstUnsoundness, survives } from "./unsound-place.ts";

/** What is wrong, for people, or undefined. `value` is what `JSON.parse` made of `text`. */
export function unsoundJson(text: string, value: JsonValue): string | undefined {
  const keys = countKeys(value, 0);
  if (keys === undefined) return `nested more than ${MAX_DEPTH} levels deep`;
  return looksSound(text, keys) ? undefined : firstUnsoundness(text);
}

/** The same, where it isn't asked what is wrong: false also where it isn't certain that nothing is. */
export function isSoundJson(text: string, value: JsonValue): boolean {
  const keys = countKeys(value, 0);
  return keys !== undefined && looksSound(text, keys);
}

/** Undefined when nested too deep. */
function countKeys(value: JsonValue, depth: number): number | undefined {
  if (typeof value !== "object" || value === null) return 0;
  if (depth === MAX_DEPTH) return undefined;
  const children: readonly JsonValue[] = isObject(value) ? Object.values(value) : value;
  let count = isObject(value) ? children.length : 0;
  for (let i = 0; i < children.length; i++) {
    const child = children[i]!;
    if (typeof child !== "object" || child === null) continue;
    const below = countKeys(child, depth + 1);
    if (below === undefined) return undefined;
    count += below;
  }
  return count;
}

function mayHoldHalfPairs(text: string): boolean {
  return (
    text.includes("\\ud") || text.includes("\\uD") || !(text as string & { isWellFormed(): boolean }).isWellFormed()
  );
}

/**
 * Quick: keys are counted in the text and in the value, and only a difference is looked into. From quote to quote, which
 * is fast in long texts: a string followed by a colon is a key, and numbers stand between strings.
 */
function looksSound(text: string, keys: number): boolean {
  if (mayHoldHalfPairs(text)) return false;
  let found = 0;
  let from = 0;
  for (;;) {
    const open = text.indexOf('"', from);
    if (open < 0) return found === keys && numbersSurvive(text, from, text.length);
    if (open - from > 2 && !numbersSurvive(text, from, open)) return false;
    from = endOfString(text, open);
    if (isColonNext(text, from)) found++;
  }
}

const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;

/** The place behind the closing quote. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (text.charCodeAt(close - 1) === BACKSLASH && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function isColonNext(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= SPACE) at++;
  return text.charCodeAt(at) === COLON;
}

function numbersSurvive(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (!isDigit(text.charCodeAt(at))) continue;
    const start = at;
    while (at < to && isDigit(text.charCodeAt(at))) at++;
    if (at - start <= 15 && !goesOn(text.charCodeAt(at))) continue;
    while (at < to && (isDigit(text.charCodeAt(at)) || goesOn(text.charCodeAt(at)))) at++;
    if (!survives(text.slice(start, at))) return false;
  }
  return true;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** `.`, `e`, `E`, `+`, `-` behind the first digits. */
function goesOn(code: number): boolean {
  return code === 0x2e || (code | 0x20) === 0x65 || code === 0x2b || code === 0x2d;
}
