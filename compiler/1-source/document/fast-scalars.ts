import type { JsonValue } from "../../base/json.ts";
import { type Cursor, skipSpaces, unsure } from "./fast-cursor.ts";
import { deepestNesting } from "./limits.ts";

/** What stands on one line: plain and quoted scalars, flow collections. Begins at `c.at` or `start`, ends with `c.at` behind it. */
export function readFlow(c: Cursor, depth: number): JsonValue {
  if (depth > deepestNesting) unsure();
  return c.text.charCodeAt(c.at) === 0x5b ? readFlowSequence(c, depth) : readFlowMapping(c, depth);
}

function readFlowSequence(c: Cursor, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  if (enterFlow(c, 0x5d)) return items;
  do items.push(readFlowValue(c, depth));
  while (goesOn(c, 0x5d));
  return items;
}

function readFlowMapping(c: Cursor, depth: number): JsonValue {
  const map: Record<string, JsonValue> = {};
  if (enterFlow(c, 0x7d)) return map;
  do {
    const key = readKeyText(readFlowScalar(c));
    c.at = skipSpaces(c, c.at);
    if (c.text.charCodeAt(c.at) !== 0x3a || c.text.charCodeAt(c.at + 1) !== 0x20) unsure();
    c.at = skipSpaces(c, c.at + 1);
    if (Object.hasOwn(map, key)) unsure();
    map[key] = readFlowValue(c, depth);
  } while (goesOn(c, 0x7d));
  return map;
}

/** True when the collection is over at once. */
function enterFlow(c: Cursor, close: number): boolean {
  c.at = skipSpaces(c, c.at + 1);
  if (c.text.charCodeAt(c.at) !== close) return false;
  c.at++;
  return true;
}

/** Over a comma to what follows it, or over the closing bracket. */
function goesOn(c: Cursor, close: number): boolean {
  const at = skipSpaces(c, c.at);
  const found = c.text.charCodeAt(at);
  if (found !== close && found !== 0x2c) unsure();
  c.at = found === close ? at + 1 : skipSpaces(c, at + 1);
  return found !== close;
}

function readFlowValue(c: Cursor, depth: number): JsonValue {
  const first = c.text.charCodeAt(c.at);
  return first === 0x5b || first === 0x7b ? readFlow(c, depth + 1) : readFlowScalar(c);
}

function readFlowScalar(c: Cursor): JsonValue {
  const start = c.at;
  const first = c.text.charCodeAt(start);
  if (first === 0x22 || first === 0x27) return readQuoted(c, start);
  c.flowPlain.lastIndex = start;
  if (!startsPlain(c, start) || !c.flowPlain.test(c.text)) unsure();
  c.at = c.flowPlain.lastIndex;
  return resolvePlain(c.text.slice(start, c.at));
}

/** A key that the language takes; `yaml-feature` errors are the full reader's to report. */
export function readKeyText(key: JsonValue): string {
  if (typeof key !== "string" || key === "<<" || key === "__proto__") unsure();
  return key;
}

export function readQuoted(c: Cursor, start: number): string {
  const double = c.text.charCodeAt(start) === 0x22;
  const quoted = double ? c.doubleQuoted : c.singleQuoted;
  quoted.lastIndex = start;
  if (!quoted.test(c.text)) unsure();
  c.at = quoted.lastIndex;
  const inner = c.text.slice(start + 1, c.at - 1);
  if (!double) return inner.includes("'") ? inner.replaceAll("''", "'") : inner;
  return inner.includes("\\") ? inner.replace(/\\(.)/g, (_, code: string) => escapes[code] ?? code) : inner;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

/** Indicators at the start mean something else, or nothing at all; only the clear cases pass. */
export function startsPlain(c: Cursor, at: number): boolean {
  const first = c.text.charCodeAt(at);
  if (first !== 0x2d) return isPlainStart(first);
  const second = c.text.charCodeAt(at + 1);
  return second === 0x2d || isPlainStart(second);
}

function isPlainStart(code: number): boolean {
  if (code >= 0x80) return true;
  return plainStart[code] === true;
}

const plainStart: readonly boolean[] = Array.from({ length: 0x80 }, (_, code) =>
  /[A-Za-z0-9_./$()+;<=\\^~]/.test(String.fromCharCode(code)),
);

/** The core schema. Numbers in rare spellings, and those with many digits, are left to the full reader. */
export function resolvePlain(text: string): JsonValue {
  const first = text.charCodeAt(0);
  // A letter that begins neither a word of the schema nor a number.
  if (first >= 0x41 && !rareLetters.includes(text[0]!)) return text;
  const word = words.get(text);
  if (word !== undefined) return word;
  if (simpleNumber.test(text)) return Number(text) === 0 && first === 0x2d ? unsure() : Number(text);
  return coreNumber.test(text) ? unsure() : text;
}

const rareLetters = "TtFfNn~";
const words: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...["~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);
const simpleNumber = /^-?(?:0|[1-9]\d{0,14}|\d{1,8}\.\d{1,6})$/;
const coreNumber =
  /^(?:[-+]?(?:\d+|(?:\.\d+|\d+\.\d*)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\.(?:inf|Inf|INF))|0o[0-7]+|0x[\da-fA-F]+|\.(?:nan|NaN|NAN))$/;
