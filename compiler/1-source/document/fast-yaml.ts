import type { JsonValue } from "../../base/json.ts";
import { readFlow, readKeyText, readQuoted, resolvePlain, startsPlain } from "./fast-scalars.ts";
import {
  type Cursor,
  createCursor,
  nextKeyColon,
  nextLine,
  notSure,
  skipSpaces,
  textEnd,
  unsure,
} from "./fast-cursor.ts";
import { deepestNesting } from "./limits.ts";

/**
 * Reads the plain part of YAML that almost every file keeps to, many times faster than the `yaml` package:
 * block maps and lists, scalars and flow collections on one line, comments. It returns undefined when it isn't sure;
 * then the `yaml` package decides. What it does accept has the value that the package gives, never another:
 * test/1-source/document.test.ts compares them on random documents. So a doubt is always a reason to give up.
 */
export function readFastYaml(text: string): { readonly value: JsonValue } | undefined {
  if (outside.test(text)) return undefined;
  const c = createCursor(text);
  try {
    nextLine(c);
    const value = c.indent === -1 ? {} : readBlock(c, 1);
    // A line that no list or map took is left over: it would continue a plain scalar, or it is an error.
    return c.indent === -1 ? { value } : undefined;
  } catch (thrown) {
    if (thrown === notSure) return undefined;
    throw thrown;
  }
}

/** Tabs, control characters and other rare ones. */
const outside = /[^\n\x20-\x7e\xa0-\u2027\u202a-\ufefe\uff00-\ufffd]/;

function readBlock(c: Cursor, depth: number): JsonValue {
  if (depth > deepestNesting) unsure();
  return isDash(c) ? readSequence(c, depth) : readMapping(c, depth);
}

function isDash(c: Cursor): boolean {
  if (c.text.charCodeAt(c.at) !== 0x2d) return false;
  return c.at + 1 === c.lineEnd || c.text.charCodeAt(c.at + 1) === 0x20;
}

function readSequence(c: Cursor, depth: number): JsonValue[] {
  const { indent } = c;
  const items: JsonValue[] = [];
  while (c.indent === indent && isDash(c)) items.push(readItem(c, indent, depth));
  return items;
}

function readItem(c: Cursor, indent: number, depth: number): JsonValue {
  const dash = c.at;
  const start = skipSpaces(c, dash + 1);
  if (isNothing(c, start)) {
    nextLine(c);
    return c.indent > indent ? readBlock(c, depth + 1) : null;
  }
  c.at = start;
  if (isDash(c) || isKey(c, start)) {
    // A collection that begins on the line of its dash has the column of its first entry as indentation.
    c.indent = indent + (start - dash);
    return readBlock(c, depth + 1);
  }
  return readInline(c, start, depth);
}

function isNothing(c: Cursor, at: number): boolean {
  return at === c.lineEnd || c.text.charCodeAt(at) === 0x23;
}

function isKey(c: Cursor, start: number): boolean {
  const first = c.text.charCodeAt(start);
  if (first === 0x5b || first === 0x7b) return false;
  if (first !== 0x22 && first !== 0x27) return nextKeyColon(c, start) < textEnd(c, start);
  readQuoted(c, start);
  return c.text.charCodeAt(c.at) === 0x3a;
}

function readMapping(c: Cursor, depth: number): JsonValue {
  const { indent } = c;
  const map: Record<string, JsonValue> = {};
  do {
    const key = readKey(c);
    if (Object.hasOwn(map, key)) unsure();
    map[key] = readMappedValue(c, indent, depth);
  } while (c.indent === indent);
  return map;
}

/** Leaves the cursor behind the colon. */
function readKey(c: Cursor): string {
  const start = c.at;
  const first = c.text.charCodeAt(start);
  const key = first === 0x22 || first === 0x27 ? readQuoted(c, start) : readPlainKey(c, start);
  if (c.at - start > 1000 || c.text.charCodeAt(c.at) !== 0x3a) unsure();
  c.at++;
  if (c.at !== c.lineEnd && c.text.charCodeAt(c.at) !== 0x20) unsure();
  return readKeyText(key);
}

function readPlainKey(c: Cursor, start: number): string {
  const colon = nextKeyColon(c, start);
  if (colon >= textEnd(c, start) || !startsPlain(c, start) || c.text.charCodeAt(colon - 1) === 0x20) unsure();
  c.at = colon;
  const key = c.text.slice(start, colon);
  if (typeof resolvePlain(key) !== "string") unsure();
  return key;
}

function readMappedValue(c: Cursor, indent: number, depth: number): JsonValue {
  const start = skipSpaces(c, c.at);
  if (!isNothing(c, start)) return readInline(c, start, depth);
  nextLine(c);
  if (c.indent > indent) return readBlock(c, depth + 1);
  // A list may stand as far left as its key.
  return c.indent === indent && isDash(c) ? readBlock(c, depth + 1) : null;
}

/** A value that ends on its line; the cursor goes on to the next one. */
function readInline(c: Cursor, start: number, depth: number): JsonValue {
  const first = c.text.charCodeAt(start);
  if (first === 0x5b || first === 0x7b || first === 0x22 || first === 0x27) {
    c.at = start;
    const value = first === 0x22 || first === 0x27 ? readQuoted(c, start) : readFlow(c, depth + 1);
    const rest = skipSpaces(c, c.at);
    if (rest !== c.lineEnd && (rest === c.at || c.text.charCodeAt(rest) !== 0x23)) unsure();
    nextLine(c);
    return value;
  }
  let end = textEnd(c, start);
  if (nextKeyColon(c, start) < end || !startsPlain(c, start)) unsure();
  while (c.text.charCodeAt(end - 1) === 0x20) end--;
  const value = resolvePlain(c.text.slice(start, end));
  nextLine(c);
  return value;
}
