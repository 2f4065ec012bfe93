/**
 * What a pinned input schema names. It was written by a stranger: references may lead in circles or nowhere, and any
 * keyword may hold anything.
 */
import type { JsonValue } from "./contract.ts";
import { isObject, type JsonObject } from "./json-values.ts";
import { outOfAddress } from "./resource-uri.ts";

/** What applies together with a schema, as alternatives, and only at times. */
export const TOGETHER: readonly string[] = ["allOf"];
export const ALTERNATIVES: readonly string[] = ["anyOf", "oneOf"];
const AT_TIMES: readonly string[] = ["then", "else", "dependentSchemas", "dependencies"];
const ALL: readonly string[] = [...TOGETHER, ...ALTERNATIVES, ...AT_TIMES];

/** How much one call may still have judged: the caller makes the arguments, a stranger made the schema. */
export interface Allowance {
  work: number;
}

/**
 * The first argument, by its path, that the schema doesn't name in any alternative, or at which the allowance went below
 * zero. An object or list within an argument of which the schema says nothing is free: the argument itself is named. Of a
 * map the names are free, and what is in its values is named by all that is said of values. The arguments themselves are
 * never free: a schema without properties names none. What applies to a place is worked out once, for all calls.
 */
export function unnamedArgumentOf(schema: JsonValue): (args: JsonValue, allowance?: Allowance) => string | undefined {
  let known = nothingKnown(schema);
  return (args, allowance = { work: Infinity }) => {
    if (known.kept > MOST_KEPT) known = nothingKnown(schema);
    if (known.top === undefined) known.top = saidBy(known, [schema], allowance);
    else allowance.work -= WORK_OF_PART;
    return unnamedWithin(args, known.top, { known, allowance, path: "", top: true });
  };
}

/** What was worked out, by the schemas that apply to a place. A call may lead to ever more of them. */
interface Known {
  readonly root: JsonValue;
  readonly numbers: Map<JsonObject, number>;
  readonly facts: Map<string, Facts>;
  /** Of the arguments themselves. */
  top: Facts | undefined;
  /** How many schemas are held in all of the facts. */
  kept: number;
}

const MOST_KEPT = 50_000;

function nothingKnown(root: JsonValue): Known {
  return { root, numbers: new Map(), facts: new Map(), top: undefined, kept: 0 };
}

/** All that may apply to one value. */
interface Facts {
  readonly parts: readonly JsonObject[];
  /** Their properties, where they have some, and all names in them. */
  readonly naming: readonly JsonObject[];
  readonly names: ReadonlySet<string>;
  /** Those that say something of values whatever their name. */
  readonly maps: readonly JsonObject[];
  /** Nothing is said of the names of the value's own properties. */
  readonly free: boolean;
  /** From here on all elements of a list have the same. */
  readonly longestTuple: number;
  /** Of what is within, as far as it was asked for: by name, under `REST_NAME` without one of its own, and by place. */
  readonly within: Map<string | symbol | number, Facts>;
}

const REST: readonly string[] = ["additionalProperties", "unevaluatedProperties"];
const MAPS: readonly string[] = ["patternProperties", ...REST];
const REST_NAME = Symbol("any other name");
/** Of an allowance, for a schema that is read and for a value that is looked at. */
const WORK_OF_PART = 3_500;
const WORK_OF_VALUE = 650;

function saidBy(known: Known, schemas: readonly JsonValue[], allowance: Allowance): Facts {
  const objects = [...new Set(schemas)].filter(isObject);
  allowance.work -= schemas.length * WORK_OF_PART;
  const key = objects
    .map((one) => numberOf(known, one))
    .sort((one, other) => one - other)
    .join();
  let facts = known.facts.get(key);
  if (facts !== undefined) return facts;
  facts = factsOfParts(known.root, partsOfAll(known.root, objects, ALL));
  known.facts.set(key, facts);
  const size = objects.length + facts.parts.length + facts.names.size;
  known.kept += size;
  allowance.work -= size * WORK_OF_PART;
  return facts;
}

function numberOf({ numbers }: Known, schema: JsonObject): number {
  const number = numbers.get(schema) ?? numbers.size;
  numbers.set(schema, number);
  return number;
}

function factsOfParts(root: JsonValue, found: ReadonlySet<JsonObject>): Facts {
  const parts = [...found];
  const naming = parts.map((part) => own(part, "properties")).filter(isObject);
  const maps = parts.filter((part) => MAPS.some((keyword) => isObject(own(part, keyword))));
  return {
    parts,
    naming,
    names: new Set(naming.flatMap((properties) => Object.keys(properties))),
    maps,
    free: naming.length === 0 && parts.every(isResolved(root)),
    longestTuple: parts.reduce((longest, part) => Math.max(longest, tupleOf(part)?.length ?? 0), 0),
    within: new Map(),
  };
}

interface Walk {
  readonly known: Known;
  readonly allowance: Allowance;
  readonly path: string;
  readonly top: boolean;
}

function unnamedWithin(value: JsonValue, facts: Facts, walk: Walk): string | undefined {
  if (Array.isArray(value)) return unnamedInList(value as readonly JsonValue[], facts, walk);
  return isObject(value) ? unnamedInObject(value, facts, walk) : undefined;
}

function unnamedInObject(value: JsonObject, facts: Facts, { known, allowance, path, top }: Walk): string | undefined {
  const open = facts.free && !top;
  if (open && facts.maps.length === 0) return undefined;
  for (const name of Object.keys(value)) {
    const here = path === "" ? name : `${path}.${name}`;
    const isNamed = facts.names.has(name);
    allowance.work -= WORK_OF_VALUE;
    if ((!isNamed && !open) || allowance.work < 0) return here;
    const inner = value[name]!;
    if (typeof inner !== "object" || inner === null) continue;
    const within = factsWithin(facts, isNamed ? name : REST_NAME, { known, allowance }, () => [
      ...facts.naming.flatMap((properties) => own(properties, name) ?? []),
      ...facts.maps.flatMap((part) => valueSchemas(part, name)),
    ]);
    const unnamed = unnamedWithin(inner, within, { known, allowance, path: here, top: false });
    if (unnamed !== undefined) return unnamed;
  }
  return undefined;
}

function factsWithin(
  { within }: Facts,
  place: string | symbol | number,
  { known, allowance }: Pick<Walk, "known" | "allowance">,
  schemas: () => readonly JsonValue[],
): Facts {
  const facts = within.get(place) ?? saidBy(known, schemas(), allowance);
  within.set(place, facts);
  return facts;
}

/** Patterns aren't tried, since they may be slow: each may match. */
function valueSchemas(part: JsonObject, name: string): JsonValue[] {
  const patterns = own(part, "patternProperties");
  const properties = own(part, "properties");
  const named = isObject(properties) && Object.hasOwn(properties, name);
  const rest = named ? [] : REST.map((keyword) => own(part, keyword)).filter(isObject);
  return isObject(patterns) ? [...Object.values(patterns), ...rest] : rest;
}

function unnamedInList(list: readonly JsonValue[], facts: Facts, { known, allowance, path }: Walk): string | undefined {
  if (facts.parts.length === 0) return undefined;
  for (let i = 0; i < list.length; i++) {
    const element = list[i]!;
    allowance.work -= WORK_OF_VALUE;
    if (allowance.work < 0) return `${path}[]`;
    if (typeof element !== "object" || element === null) continue;
    const place = Math.min(i, facts.longestTuple);
    const within = factsWithin(facts, place, { known, allowance }, () =>
      facts.parts.flatMap((part) => elementSchemas(part, place)),
    );
    const unnamed = unnamedWithin(element, within, { known, allowance, path: `${path}[]`, top: false });
    if (unnamed !== undefined) return unnamed;
  }
  return undefined;
}

/** Of a list or a tuple, in both spellings. */
function elementSchemas(schema: JsonObject, index: number): JsonValue[] {
  const items = own(schema, "items");
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  const found = tupleOf(schema)?.[index] ?? rest ?? own(schema, "unevaluatedItems");
  return found === undefined ? [] : [found];
}

function tupleOf(schema: JsonObject): readonly JsonValue[] | undefined {
  const items = own(schema, "items");
  const tuple = Array.isArray(items) ? items : own(schema, "prefixItems");
  return Array.isArray(tuple) ? (tuple as readonly JsonValue[]) : undefined;
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

/** The schema and all that it brings in through the keywords, once each; never into properties or items. */
export function schemaParts(root: JsonValue, start: JsonValue, keywords: readonly string[]): Set<JsonObject> {
  return partsOfAll(root, [start], keywords);
}

function partsOfAll(root: JsonValue, starts: readonly JsonValue[], keywords: readonly string[]): Set<JsonObject> {
  const found = new Set<JsonObject>();
  const waiting = [...starts];
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
    const key = outOfAddress(token).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(here))
      here = /^(0|[1-9]\d*)$/.test(key) ? (here as readonly JsonValue[])[Number(key)] : undefined;
    else here = isObject(here) ? own(here, key) : undefined;
  }
  return here;
}

function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
