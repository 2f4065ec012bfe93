/**
 * What a pinned input schema names. It was written by a stranger: references may lead in circles or nowhere, and any
 * keyword may hold anything.
 */
import type { JsonValue } from "./contract.ts";
import { isObject, type JsonObject } from "./json-values.ts";

/** What applies together with a schema, as alternatives, and only at times. */
export const TOGETHER: readonly string[] = ["allOf"];
export const ALTERNATIVES: readonly string[] = ["anyOf", "oneOf"];
const AT_TIMES: readonly string[] = ["then", "else", "dependentSchemas", "dependencies"];
const ALL: readonly string[] = [...TOGETHER, ...ALTERNATIVES, ...AT_TIMES];

/**
 * The first argument, by its path, that the schema doesn't name in any alternative. An object or list within an
 * argument of which the schema says nothing is free: the argument itself is named. Of a map the names are free, and
 * what is in its values is named by all that is said of values. The arguments themselves are never free: a schema
 * without properties names none. Each schema within the schema is taken apart once, for all calls.
 */
export function unnamedArgumentOf(schema: JsonValue): (args: JsonValue) => string | undefined {
  const known = new Map<JsonValue, Facts>();
  const factsOf = (schemas: readonly JsonValue[]): Facts => {
    const [only] = schemas;
    if (schemas.length !== 1) return factsOfParts(schema, partsOfAll(schema, schemas));
    let facts = known.get(only!);
    if (facts === undefined) known.set(only!, (facts = factsOfParts(schema, schemaParts(schema, only!, ALL))));
    return facts;
  };
  const top = [schema];
  return (args) => unnamedWithin(args, top, { factsOf, path: "", top: true });
}

/** All that may apply to one value. */
interface Facts {
  readonly parts: readonly JsonObject[];
  /** Their properties, where they have some. */
  readonly naming: readonly JsonObject[];
  /** Those that say something of values whatever their name. */
  readonly maps: readonly JsonObject[];
  /** Nothing is said of the names of the value's own properties. */
  readonly free: boolean;
}

const REST: readonly string[] = ["additionalProperties", "unevaluatedProperties"];
const MAPS: readonly string[] = ["patternProperties", ...REST];

function factsOfParts(root: JsonValue, found: ReadonlySet<JsonObject>): Facts {
  const parts = [...found];
  const naming = parts.map((part) => own(part, "properties")).filter(isObject);
  const maps = parts.filter((part) => MAPS.some((keyword) => isObject(own(part, keyword))));
  return { parts, naming, maps, free: naming.length === 0 && parts.every(isResolved(root)) };
}

interface Walk {
  readonly factsOf: (schemas: readonly JsonValue[]) => Facts;
  readonly path: string;
  readonly top: boolean;
}

function unnamedWithin(value: JsonValue, schemas: readonly JsonValue[], walk: Walk): string | undefined {
  if (Array.isArray(value)) return unnamedInList(value as readonly JsonValue[], schemas, walk);
  return isObject(value) ? unnamedInObject(value, schemas, walk) : undefined;
}

function unnamedInObject(value: JsonObject, schemas: readonly JsonValue[], walk: Walk): string | undefined {
  const { naming, maps, free } = walk.factsOf(schemas);
  const open = free && !walk.top;
  if (open && maps.length === 0) return undefined;
  for (const name of Object.keys(value)) {
    const saying = naming.filter((properties) => Object.hasOwn(properties, name));
    const path = walk.path === "" ? name : `${walk.path}.${name}`;
    if (saying.length === 0 && !open) return path;
    const inner = value[name]!;
    if (typeof inner !== "object" || inner === null) continue;
    const within: JsonValue[] = saying.map((properties) => properties[name]!);
    for (const part of maps) within.push(...valueSchemas(part, name));
    const unnamed = unnamedWithin(inner, within, { factsOf: walk.factsOf, path, top: false });
    if (unnamed !== undefined) return unnamed;
  }
  return undefined;
}

/** Patterns aren't tried, since they may be slow: each may match. */
function valueSchemas(part: JsonObject, name: string): JsonValue[] {
  const patterns = own(part, "patternProperties");
  const properties = own(part, "properties");
  const named = isObject(properties) && Object.hasOwn(properties, name);
  const rest = named ? [] : REST.map((keyword) => own(part, keyword)).filter(isObject);
  return isObject(patterns) ? [...Object.values(patterns), ...rest] : rest;
}

function unnamedInList(
  list: readonly JsonValue[],
  schemas: readonly JsonValue[],
  { factsOf, path }: Walk,
): string | undefined {
  const { parts } = factsOf(schemas);
  for (const [i, element] of list.entries()) {
    if (typeof element !== "object" || element === null) continue;
    const within = parts.flatMap((part) => elementSchemas(part, i));
    const unnamed = unnamedWithin(element, within, { factsOf, path: `${path}[]`, top: false });
    if (unnamed !== undefined) return unnamed;
  }
  return undefined;
}

/** Of a list or a tuple, in both spellings. */
function elementSchemas(schema: JsonObject, index: number): JsonValue[] {
  const items = own(schema, "items");
  const tuple = Array.isArray(items) ? items : own(schema, "prefixItems");
  const place = Array.isArray(tuple) ? (tuple as readonly JsonValue[])[index] : undefined;
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  const found = place ?? rest ?? own(schema, "unevaluatedItems");
  return found === undefined ? [] : [found];
}

/** A reference that leads nowhere may mean anything: an object behind it isn't free. */
function isResolved(root: JsonValue): (schema: JsonObject) => boolean {
  return (schema) =>
    REFERENCES.every((keyword) => {
      const reference = own(schema, keyword);
      return typeof reference !== "string" || resolveReference(root, reference) !== undefined;
    });
}

const REFERENCES: readonly string[] = ["$ref", "$recursiveRef", "$dynamicRef"];

function partsOfAll(root: JsonValue, schemas: readonly JsonValue[]): Set<JsonObject> {
  return new Set(schemas.flatMap((schema) => [...schemaParts(root, schema, ALL)]));
}

/** The schema and all that it brings in through the keywords, once each; never into properties or items. */
export function schemaParts(root: JsonValue, start: JsonValue, keywords: readonly string[]): Set<JsonObject> {
  const found = new Set<JsonObject>();
  const waiting = [start];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isObject(next) || found.has(next)) continue;
    found.add(next);
    for (const member of members(root, next, keywords)) waiting.push(member);
  }
  return found;
}

/** What a schema brings in: the targets of its references, and the schemas under the given keywords. */
export function members(root: JsonValue, schema: JsonObject, keywords: readonly string[]): JsonValue[] {
  let found: JsonValue[] = [];
  for (const keyword of REFERENCES) {
    const reference = own(schema, keyword);
    const target = typeof reference === "string" ? resolveReference(root, reference) : undefined;
    if (target !== undefined) found.push(target);
  }
  for (const keyword of keywords) {
    const value = own(schema, keyword);
    if (Array.isArray(value)) found = found.concat(value as JsonValue[]);
    else if (isObject(value)) found = found.concat(keyword.startsWith("depend") ? Object.values(value) : [value]);
  }
  return found;
}

/** `#`, `#/any/json/pointer`, or undefined: other documents and anchors aren't followed. */
export function resolveReference(root: JsonValue, reference: string): JsonValue | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let here: JsonValue | undefined = root;
  for (const token of reference.slice(2).split("/")) {
    const key = decoded(token).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(here))
      here = /^(0|[1-9]\d*)$/.test(key) ? (here as readonly JsonValue[])[Number(key)] : undefined;
    else here = isObject(here) ? own(here, key) : undefined;
  }
  return here;
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
