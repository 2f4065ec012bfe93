/**
 * What a pinned input schema names. It was written by a stranger: references may lead in circles or nowhere, and any
 * keyword may hold anything.
 */
import type { JsonValue } from "./contract.ts";

type JsonObject = { readonly [key: string]: JsonValue };

/** What applies together with a schema, as alternatives, and only at times. */
export const TOGETHER: readonly string[] = ["allOf"];
export const ALTERNATIVES: readonly string[] = ["anyOf", "oneOf"];
const AT_TIMES: readonly string[] = ["then", "else", "dependentSchemas", "dependencies"];
const ALL: readonly string[] = [...TOGETHER, ...ALTERNATIVES, ...AT_TIMES];

/**
 * The first argument, by its path, that the schema doesn't name in any alternative. An object or list within an
 * argument of which the schema says nothing is free: the argument itself is named. The arguments themselves are not:
 * a schema without properties names none.
 */
export function unnamedArgument(schema: JsonValue, args: JsonValue): string | undefined {
  return unnamedWithin({ root: schema, value: args, schemas: [schema], path: "", top: true });
}

interface Walk {
  readonly root: JsonValue;
  readonly value: JsonValue;
  /** All that may apply to the value. */
  readonly schemas: readonly JsonValue[];
  readonly path: string;
  readonly top: boolean;
}

function unnamedWithin(walk: Walk): string | undefined {
  const { value } = walk;
  if (Array.isArray(value)) return unnamedInList(value as readonly JsonValue[], walk);
  return isObject(value) ? unnamedInObject(value, walk) : undefined;
}

function unnamedInObject(value: JsonObject, { root, schemas, path, top }: Walk): string | undefined {
  const all = [...partsOfAll(root, schemas)];
  const naming = all.flatMap((part) =>
    isObject(own(part, "properties")) ? [own(part, "properties") as JsonObject] : [],
  );
  if (naming.length === 0 && !top && all.every(isResolved(root))) return undefined;
  for (const name of Object.keys(value)) {
    const at = path === "" ? name : `${path}.${name}`;
    const found = naming.flatMap((properties) => (Object.hasOwn(properties, name) ? [properties[name]!] : []));
    if (found.length === 0) return at;
    const inner = unnamedWithin({ root, value: value[name]!, schemas: found, path: at, top: false });
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function unnamedInList(list: readonly JsonValue[], { root, schemas, path }: Walk): string | undefined {
  const parts = [...partsOfAll(root, schemas)];
  for (const [i, element] of list.entries()) {
    const inner = unnamedWithin({
      root,
      value: element,
      schemas: parts.flatMap((part) => elementSchemas(part, i)),
      path: `${path}[]`,
      top: false,
    });
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Of a list or a tuple, in both spellings. */
function elementSchemas(schema: JsonObject, index: number): JsonValue[] {
  const items = own(schema, "items");
  const tuple = Array.isArray(items) ? items : own(schema, "prefixItems");
  const place = Array.isArray(tuple) ? (tuple as readonly JsonValue[])[index] : undefined;
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  const found = place ?? rest;
  return found === undefined ? [] : [found];
}

/** A reference that leads nowhere may mean anything: an object behind it isn't free. */
function isResolved(root: JsonValue): (schema: JsonObject) => boolean {
  return (schema) => {
    const reference = own(schema, "$ref");
    return typeof reference !== "string" || resolveReference(root, reference) !== undefined;
  };
}

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
    waiting.push(...members(root, next, keywords));
  }
  return found;
}

/** What a schema brings in: the target of its `$ref`, and the schemas under the given keywords. */
export function members(root: JsonValue, schema: JsonObject, keywords: readonly string[]): JsonValue[] {
  const found: JsonValue[] = [];
  const reference = own(schema, "$ref");
  const target = typeof reference === "string" ? resolveReference(root, reference) : undefined;
  if (target !== undefined) found.push(target);
  for (const keyword of keywords) {
    const value = own(schema, keyword);
    if (Array.isArray(value)) found.push(...(value as readonly JsonValue[]));
    else if (isObject(value)) found.push(...(keyword.startsWith("depend") ? Object.values(value) : [value]));
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

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
