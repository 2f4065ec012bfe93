/**
 * Canonical JSON (RFC 8785): one text for one value, whatever order its keys came in. What is judged,
 * shown, hashed and sent is this text or a value read back from it.
 */
import type { JsonValue } from "./contract.ts";
import { isList } from "./json-values.ts";

/** Deeper than any real value; a bound, so that hostile nesting is an error and not a stack overflow. */
export const MAX_DEPTH = 500;

/**
 * Throws a TypeError for what JSON can't say: numbers without a value, half a surrogate pair, functions,
 * instances of classes, nesting beyond MAX_DEPTH. A property that is undefined counts as left out.
 */
export function canonicalText(value: JsonValue): string {
  const growing = { done: "", text: "" };
  appendValue(growing, value, 0);
  return growing.done + growing.text;
}

/**
 * Text is grown: measured faster than joining parts, and than JSON.stringify of a sorted copy. But of what was put together
 * the parts are kept until somebody reads it: they would take many times the room of a long text.
 */
interface Growing {
  done: string;
  text: string;
}

const LONG = 16_384;

function inOnePiece(growing: Growing): void {
  growing.text.charCodeAt(0);
  growing.done += growing.text;
  growing.text = "";
}

function appendValue(growing: Growing, value: JsonValue | undefined, depth: number): void {
  if (typeof value === "string") growing.text += quote(value);
  else if (typeof value !== "object" || value === null) growing.text += scalar(value);
  else {
    if (depth === MAX_DEPTH) throw new TypeError(`nested more than ${MAX_DEPTH} levels deep`);
    if (isList(value)) appendList(growing, value, depth + 1);
    else appendObject(growing, value, depth + 1);
    if (growing.text.length > LONG) inOnePiece(growing);
  }
}

function appendList(growing: Growing, list: readonly JsonValue[], depth: number): void {
  growing.text += "[";
  for (let i = 0; i < list.length; i++) {
    if (i > 0) growing.text += ",";
    appendValue(growing, list[i], depth);
  }
  growing.text += "]";
}

function appendObject(
  growing: Growing,
  object: { readonly [key: string]: JsonValue | undefined },
  depth: number,
): void {
  refuseInstance(object);
  const keys = Object.keys(object);
  sortKeys(keys);
  growing.text += "{";
  let separator = "";
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const value = object[key];
    if (value === undefined) continue;
    growing.text += separator + quote(key) + ":";
    appendValue(growing, value, depth);
    separator = ",";
  }
  growing.text += "}";
}

/** A Date or a Map would otherwise pass as an empty object. Plain objects of other realms are plain too. */
function refuseInstance(object: object): void {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new TypeError("an instance of a class isn't JSON");
}

/**
 * What JSON.parse would read back from the canonical text, frozen through and through, and no text is made. Throws where
 * canonicalText does.
 */
export function canonicalCopy(value: JsonValue, deepest: number = MAX_DEPTH): JsonValue {
  return copied(value, 0, deepest);
}

function copied(value: JsonValue, depth: number, deepest: number): JsonValue {
  if (typeof value === "string") return sound(value);
  if (typeof value !== "object" || value === null) return plain(value);
  if (depth === deepest) throw new TypeError(`nested more than ${deepest} levels deep`);
  const copy = isList(value) ? copyOfList(value, depth + 1, deepest) : copyOfObject(value, depth + 1, deepest);
  return Object.freeze(copy);
}

function copyOfList(list: readonly JsonValue[], depth: number, deepest: number): JsonValue[] {
  const copy: JsonValue[] = [];
  for (let i = 0; i < list.length; i++) copy.push(copied(list[i]!, depth, deepest));
  return copy;
}

function copyOfObject(
  object: { readonly [key: string]: JsonValue | undefined },
  depth: number,
  deepest: number,
): JsonValue {
  refuseInstance(object);
  const keys = Object.keys(object);
  sortKeys(keys);
  const copy: { [key: string]: JsonValue } = {};
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const given = object[key];
    if (given === undefined) continue;
    const value = copied(given, depth, deepest);
    // An assignment would give it a prototype.
    if (key === "__proto__") Object.defineProperty(copy, key, { value, enumerable: true });
    else copy[sound(key)] = value;
  }
  return copy;
}

/** By UTF-16 code unit. Keys are few and mostly in order already: insertion is then the fastest sort. */
function sortKeys(keys: string[]): void {
  if (keys.length > 40) {
    keys.sort();
    return;
  }
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!;
    let at = i;
    while (at > 0 && keys[at - 1]! > key) {
      keys[at] = keys[at - 1]!;
      at--;
    }
    keys[at] = key;
  }
}

const NEEDS_CARE = /["\\\u0000-\u001f\ud800-\udfff]/;

function quote(text: string): string {
  if (!NEEDS_CARE.test(text)) return '"' + text + '"';
  return JSON.stringify(sound(text));
}

function sound(text: string): string {
  if (!(text as unknown as Unchecked).isWellFormed()) throw new TypeError("half a surrogate pair isn't text");
  return text;
}

/** What every text has since Node 20, and the types that generated code asks for don't know yet. */
interface Unchecked {
  isWellFormed(): boolean;
}

function scalar(value: unknown): string {
  return String(plain(value));
}

/** There is one zero. */
function plain(value: unknown): null | boolean | number {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value + 0;
  throw new TypeError(`${typeof value === "number" ? String(value) : typeof value} isn't JSON`);
}
