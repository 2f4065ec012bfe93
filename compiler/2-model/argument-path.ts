/**
 * Does a pinned input schema name an argument? A condition on an argument that a tool lacks would leave the
 * tool unscoped, so the reading is strict:
 *
 * - only `properties` name; `additionalProperties`, `patternProperties`, `if`, `not` and schemas that allow anything don't
 * - of `allOf`, and beside a `$ref`, one member that names it is enough: all of them apply
 * - of `anyOf` and `oneOf`, every alternative that can be an object must name it; one that can't
 *   (null, a text) doesn't count, because the judge refuses such a value where the path goes on
 * - `then`, `else` and dependent schemas don't make an argument found, since they apply only at times
 * - a `$ref` that doesn't resolve, or that leads back to itself, names nothing
 */
import { escapeArgumentName, parseArgumentPath, type ArgumentStep } from "../../runtime/conditions.ts";
import { ALTERNATIVES, members, schemaParts, TOGETHER } from "../../runtime/pinned-schema.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";

export type ArgumentAt =
  | {
      readonly found: true;
      /** What is said of the argument; its references lead into the whole schema. */ readonly schema: JsonValue;
    }
  | {
      readonly found: false;
      /** Paths that it does name, sorted, for "did you mean". */ readonly known: readonly string[];
    };

export function argumentAt(schema: JsonObject, path: string): ArgumentAt {
  const steps = parseArgumentPath(path);
  let here: JsonValue | undefined = steps === undefined ? undefined : schema;
  for (const step of steps ?? []) if (here !== undefined) here = take({ root: schema, left: ALL }, here, step);
  if (here === undefined) return { found: false, known: knownPaths(schema) };
  return { found: true, schema: here };
}

interface Within {
  /** Where references lead into. */
  readonly root: JsonObject;
  readonly left: Left;
}

const ALL: Left = { schemas: Infinity };
/** For advice, where each name is looked for in every alternative. */
const MOST_FOR_ADVICE = 50_000;

/** The schema behind one step, or undefined when it isn't named. Alternatives stay alternatives: `{ anyOf }`. */
function take(within: Within, here: JsonValue, step: ArgumentStep): JsonValue | undefined {
  const property = descend(within, here, "object", (schema) => propertyOf(schema, step.name));
  if (property === undefined || !step.each) return property;
  return descend(within, property, "array", elementOf);
}

function propertyOf(schema: JsonObject, name: string): JsonValue | undefined {
  const properties = own(schema, "properties");
  return isObject(properties) ? own(properties, name) : undefined;
}

/** Each place of a tuple is an alternative. A list of which nothing is said may hold anything: `true`. */
function elementOf(schema: JsonObject): JsonValue | undefined {
  const items = own(schema, "items");
  const tuple = Array.isArray(items) ? items : own(schema, "prefixItems");
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  if (Array.isArray(tuple))
    return { anyOf: [...(tuple as readonly JsonValue[]), rest ?? true].filter((place) => place !== false) };
  if (items !== undefined) return items;
  return includesType(own(schema, "type"), "array") ? true : undefined;
}

type ContainerKind = "object" | "array";
/** "never": no value of the wanted kind can be valid here, so this alternative doesn't count. */
type Reached = JsonValue | undefined | "never";
interface Descent {
  readonly root: JsonObject;
  readonly kind: ContainerKind;
  readonly pick: (schema: JsonObject) => JsonValue | undefined;
  /** Also breaks cycles: a schema that is still being looked at names nothing. */
  readonly done: Map<JsonValue, Reached>;
  /** How many more schemas are looked at. */
  readonly left: Left;
}

interface Left {
  schemas: number;
}

function descend(
  { root, left }: Within,
  here: JsonValue,
  kind: ContainerKind,
  pick: Descent["pick"],
): JsonValue | undefined {
  const reached = reach({ root, kind, pick, done: new Map(), left }, here, 0);
  return reached === "never" ? undefined : reached;
}

/** Longer ways through references than any schema has for a reason. */
const MAX_CHAIN = 200;

function reach(descent: Descent, here: JsonValue, depth: number): Reached {
  if (here === false) return "never";
  if (!isObject(here) || depth > MAX_CHAIN || --descent.left.schemas < 0) return undefined;
  if (descent.done.has(here)) return descent.done.get(here);
  descent.done.set(here, undefined);
  const reached = reachObject(descent, here, depth);
  descent.done.set(here, reached);
  return reached;
}

function reachObject(descent: Descent, here: JsonObject, depth: number): Reached {
  if (!canBe(here, descent.kind)) return "never";
  const found: JsonValue[] = [];
  const picked = descent.pick(here);
  if (picked !== undefined) found.push(picked);
  for (const member of members(descent.root, here, TOGETHER)) {
    const reached = reach(descent, member, depth + 1);
    if (reached === "never") return "never";
    if (reached !== undefined) found.push(reached);
  }
  for (const keyword of ALTERNATIVES) {
    const alternatives = own(here, keyword);
    if (!Array.isArray(alternatives)) continue;
    const reached = reachAlternatives(descent, alternatives, depth);
    if (reached === "never") return "never";
    if (reached !== undefined) found.push(reached);
  }
  return found.length > 1 ? { allOf: found } : found[0];
}

function reachAlternatives(descent: Descent, alternatives: readonly JsonValue[], depth: number): Reached {
  const all = alternatives
    .map((alternative) => reach(descent, alternative, depth + 1))
    .filter((reached) => reached !== "never");
  if (all.length === 0) return "never";
  const named = all.filter((reached) => reached !== undefined);
  return named.length === all.length ? { anyOf: named } : undefined;
}

function canBe(schema: JsonObject, kind: ContainerKind): boolean {
  const type = own(schema, "type");
  const constant = own(schema, "const");
  const allowed = own(schema, "enum");
  if (type !== undefined && !includesType(type, kind)) return false;
  if (constant !== undefined && !isOf(constant, kind)) return false;
  return !Array.isArray(allowed) || allowed.some((value: JsonValue) => isOf(value, kind));
}

function includesType(type: JsonValue | undefined, kind: ContainerKind): boolean {
  return type === kind || (Array.isArray(type) && type.includes(kind));
}

function isOf(value: JsonValue, kind: ContainerKind): boolean {
  return kind === "array" ? Array.isArray(value) : isObject(value);
}

const MOST_PATHS = 200;
const DEEPEST_PATH = 3;

function knownPaths(schema: JsonObject): string[] {
  const found = new Set<string>();
  addPaths({ root: schema, left: { schemas: MOST_FOR_ADVICE } }, schema, "", found);
  return sorted(found);
}

/** Breadth is bounded by MOST_PATHS and depth by DEEPEST_PATH: recursive schemas name paths without end. */
function addPaths(within: Within, here: JsonValue, prefix: string, found: Set<string>, depth = 1): void {
  for (const name of namesAt(within.root, here, [...TOGETHER, ...ALTERNATIVES])) {
    for (const each of [false, true]) {
      const isOver = found.size >= MOST_PATHS || within.left.schemas < 0;
      const next = name === "" || isOver ? undefined : take(within, here, { name, each });
      if (next === undefined) continue;
      const path = `${prefix}${escapeArgumentName(name)}${each ? "[]" : ""}`;
      found.add(path);
      if (depth < DEEPEST_PATH) addPaths(within, next, `${path}.`, found, depth + 1);
    }
  }
}

function namesAt(root: JsonObject, here: JsonValue, keywords: readonly string[]): string[] {
  const names = new Set<string>();
  for (const part of schemaParts(root, here, keywords)) {
    const properties = own(part, "properties");
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  }
  return sorted(names);
}
