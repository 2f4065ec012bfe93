import { resolveReference } from "../../runtime/pinned-schema.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/**
 * What an argument is instead, when no value that its schema takes is text, or a list of texts: for people. Undefined
 * where it may be text. `root` is the schema that references lead into.
 */
export function neverText(root: JsonValue, schema: JsonValue): string | undefined {
  const words = wordsFor(schema, { root, known: [new Map(), new Map()], inList: false, depth: 0 });
  return words && words.length > 0 ? words.join(" or ") : undefined;
}

/** Longer ways through references than any schema has for a reason: there nothing is said. */
const DEEPEST = 200;
const MOST_WORDS = 20;

interface Reading {
  readonly root: JsonValue;
  /** A stranger's schema may unfold without end, so each is looked at once, in a list and outside; one that is being looked at says nothing. */
  readonly known: readonly [outside: Map<JsonObject, Words>, inList: Map<JsonObject, Words>];
  /** A list within a list is refused whatever it holds. */
  readonly inList: boolean;
  readonly depth: number;
}

/** What its values are called, none of them text, each once; empty for what takes no value at all. */
type Words = readonly string[] | undefined;

function wordsFor(schema: JsonValue, reading: Reading): Words {
  if (schema === false) return [];
  if (!isObject(schema) || reading.depth > DEEPEST) return undefined;
  const known = reading.known[reading.inList ? 1 : 0];
  if (known.has(schema)) return known.get(schema);
  known.set(schema, undefined);
  const inner: Reading = { ...reading, depth: reading.depth + 1 };
  const words = wordsOfValues(schema, inner) ?? wordsOfTypes(schema, inner) ?? wordsOfParts(schema, inner);
  known.set(schema, words);
  return words;
}

function wordsOfValues(schema: JsonObject, { inList }: Reading): Words {
  const allowed = own(schema, "enum");
  const values = Object.hasOwn(schema, "const")
    ? [own(schema, "const")!]
    : Array.isArray(allowed)
      ? (allowed as readonly JsonValue[])
      : [];
  return values.length === 0 ? undefined : every(values, (value) => wordsOfValue(value, inList));
}

function wordsOfValue(value: JsonValue, inList: boolean): Words {
  if (typeof value === "string") return undefined;
  if (Array.isArray(value) && !inList) return wordsOfList(every(value, (element) => wordsOfValue(element, true)));
  return [wordFor(typeOf(value), inList)];
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function wordsOfTypes(schema: JsonObject, reading: Reading): Words {
  const type = own(schema, "type");
  const types = typeof type === "string" ? [type] : Array.isArray(type) ? (type as readonly JsonValue[]) : [];
  if (types.length === 0) return undefined;
  return every(types, (one) => {
    if (typeof one !== "string" || !Object.hasOwn(WORDS, one)) return undefined;
    if (one !== "array" || reading.inList) return [wordFor(one, reading.inList)];
    return wordsOfList(wordsOfElements(schema, { ...reading, inList: true }));
  });
}

/** A list whose every place can't be text; one of which nothing is said may hold it. */
function wordsOfElements(schema: JsonObject, reading: Reading): Words {
  const items = own(schema, "items");
  const tuple = Array.isArray(items) ? items : own(schema, "prefixItems");
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  const places = [...(Array.isArray(tuple) ? (tuple as readonly JsonValue[]) : []), rest ?? true];
  return every(places, (place) => wordsFor(place, reading));
}

function wordsOfList(elements: Words): Words {
  return elements && elements.length > 0 ? [`a list of ${elements.join(" or ")}`] : elements;
}

/** Of what applies together one part is enough; of alternatives every one has to say so. */
function wordsOfParts(schema: JsonObject, reading: Reading): Words {
  const reference = own(schema, "$ref");
  const target = typeof reference === "string" ? resolveReference(reading.root, reference) : undefined;
  for (const part of [...(target === undefined ? [] : [target]), ...listOf(schema, "allOf")]) {
    const words = wordsFor(part, reading);
    if (words) return words;
  }
  for (const keyword of ["anyOf", "oneOf"]) {
    const parts = listOf(schema, keyword);
    const words = parts.length > 0 ? every(parts, (part) => wordsFor(part, reading)) : undefined;
    if (words) return words;
  }
  return undefined;
}

function listOf(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const value = own(schema, keyword);
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function every<Item>(items: readonly Item[], wordsOf: (item: Item) => Words): Words {
  const all = new Set<string>();
  for (const item of items) {
    const words = wordsOf(item);
    if (words === undefined) return undefined;
    for (const word of words) if (all.size < MOST_WORDS) all.add(word);
  }
  return [...all];
}

const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  integer: ["a whole number", "whole numbers"],
  number: ["a number", "numbers"],
  boolean: ["true or false", "true or false"],
  object: ["an object", "objects"],
  array: ["a list", "lists"],
  null: ["null", "null"],
};

function wordFor(type: string, many: boolean): string {
  return WORDS[type]![many ? 1 : 0];
}
