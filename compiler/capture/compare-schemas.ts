import { canonicalText } from "../base/canonical.ts";
import { isObject, own, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";

/**
 * What changed between two JSON Schemas, from the side of whoever writes the value: `widened` takes all that was taken
 * before and more. Only what can be seen without solving the schema is judged; the rest is `changed`.
 */
export interface SchemaChange {
  readonly direction: "text" | "widened" | "narrowed" | "changed";
  /** `labels` added; raw names. */
  readonly what: readonly string[];
}

type Direction = SchemaChange["direction"];

export function compareSchemas(before: JsonValue | undefined, after: JsonValue | undefined): SchemaChange | undefined {
  if (equal(before, after)) return undefined;
  const found: Found[] = [];
  compare(before, after, "", found);
  const weighing = [...new Set(found.map((f) => f.direction).filter((direction) => direction !== "text"))];
  const direction =
    found.length === 0 ? "changed" : weighing.length === 0 ? "text" : weighing.length === 1 ? weighing[0]! : "changed";
  return { direction, what: [...new Set(found.map((f) => f.says))] };
}

interface Found {
  readonly direction: Direction;
  readonly says: string;
}

function compare(before: JsonValue | undefined, after: JsonValue | undefined, at: string, found: Found[]): void {
  if (equal(before, after)) return;
  if (!isObject(before) || !isObject(after)) {
    found.push({ direction: "changed", says: about(at, "is another schema") });
    return;
  }
  for (const key of sorted(new Set([...Object.keys(before), ...Object.keys(after)]))) {
    const one = own(before, key);
    const other = own(after, key);
    if (equal(one, other)) continue;
    if (key === "required")
      compareRequired(one, other, at, found, goneFrom(own(before, "properties"), own(after, "properties")));
    else compareKey(key, one, other, at, found);
  }
}

function goneFrom(before: JsonValue | undefined, after: JsonValue | undefined): (name: string) => boolean {
  return (name) => isObject(before) && Object.hasOwn(before, name) && !(isObject(after) && Object.hasOwn(after, name));
}

const TEXTS = new Set(
  "title description $comment examples deprecated readOnly writeOnly $schema $id markdownDescription".split(" "),
);
const LOWER_BOUNDS = new Set("minimum exclusiveMinimum minLength minItems minProperties minContains".split(" "));
const UPPER_BOUNDS = new Set("maximum exclusiveMaximum maxLength maxItems maxProperties maxContains".split(" "));
const EXTRA_DEMANDS = new Set("pattern format multipleOf uniqueItems propertyNames const".split(" "));
const ALTERNATIVES = new Set(["anyOf", "oneOf"]);

function compareKey(
  key: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: string,
  found: Found[],
): void {
  const say = (direction: Direction, words: string) => void found.push({ direction, says: about(at, words) });
  if (TEXTS.has(key)) return say("text", `${key} says something else`);
  if (key === "properties") return compareProperties(before, after, at, found);
  if (key === "$defs" || key === "definitions") return compareShared(before, after, at, found);
  if (key === "additionalProperties") return compareAdditional(before ?? true, after ?? true, at, found);
  if (key === "type") return say(setDirection(typesOf(before), typesOf(after)), "has another type");
  if (key === "enum") return say(setDirection(before, after), enumWords(before, after));
  if (LOWER_BOUNDS.has(key)) return say(boundDirection(before, after, -1), `has another ${key}`);
  if (UPPER_BOUNDS.has(key)) return say(boundDirection(before, after, 1), `has another ${key}`);
  if (EXTRA_DEMANDS.has(key))
    return say(before === undefined ? "narrowed" : after === undefined ? "widened" : "changed", `has another ${key}`);
  if (key === "items" && before !== undefined && after !== undefined) return compare(before, after, `${at}[]`, found);
  if (ALTERNATIVES.has(key)) return compareAlternatives(before, after, at, found);
  say("changed", `has another ${key}`);
}

function compareProperties(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: string,
  found: Found[],
): void {
  const one = isObject(before) ? before : {};
  const other = isObject(after) ? after : {};
  for (const name of sorted(new Set([...Object.keys(one), ...Object.keys(other)]))) {
    const path = at === "" ? name : `${at}.${name}`;
    if (!Object.hasOwn(one, name)) found.push({ direction: "widened", says: about(path, "is new") });
    else if (!Object.hasOwn(other, name)) found.push({ direction: "narrowed", says: about(path, "is gone") });
    else compare(one[name], other[name], path, found);
  }
}

/** A definition matters where it is referred to, and that place shows the change of the reference. */
function compareShared(before: JsonValue | undefined, after: JsonValue | undefined, at: string, found: Found[]): void {
  const one = isObject(before) ? before : {};
  const other = isObject(after) ? after : {};
  for (const name of sorted(Object.keys(one))) {
    if (Object.hasOwn(other, name)) compare(one[name], other[name], at === "" ? `#${name}` : `${at}#${name}`, found);
  }
}

/** What is gone is told as that, once: it was asked for, and isn't, all the same. */
function compareRequired(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: string,
  found: Found[],
  isGone: (name: string) => boolean,
): void {
  const one = new Set(stringsOf(before));
  const other = new Set(stringsOf(after));
  const path = (name: string) => (at === "" ? name : `${at}.${name}`);
  for (const name of one)
    if (!other.has(name))
      found.push({ direction: "widened", says: about(path(name), isGone(name) ? "is gone" : "may be left out") });
  for (const name of other)
    if (!one.has(name)) found.push({ direction: "narrowed", says: about(path(name), "is required") });
}

function compareAdditional(before: JsonValue, after: JsonValue, at: string, found: Found[]): void {
  if (equal(before, after)) return;
  if (isObject(before) && isObject(after)) return compare(before, after, `${at}.*`, found);
  const rank = (value: JsonValue) => (value === false ? 0 : value === true ? 2 : 1);
  const wider = rank(after) > rank(before);
  found.push({
    direction: wider ? "widened" : "narrowed",
    says: about(at, wider ? "takes more names" : "takes fewer names"),
  });
}

function compareAlternatives(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: string,
  found: Found[],
): void {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    before.forEach((schema: JsonValue, i) => compare(schema, after[i] as JsonValue, at, found));
    return;
  }
  found.push({ direction: setDirection(before, after), says: about(at, "has other alternatives") });
}

function setDirection(before: JsonValue | undefined, after: JsonValue | undefined): Direction {
  if (after === undefined) return "widened";
  if (before === undefined) return "narrowed";
  if (!Array.isArray(before) || !Array.isArray(after)) return "changed";
  const one = new Set((before as readonly JsonValue[]).map(canonicalText));
  const other = new Set((after as readonly JsonValue[]).map(canonicalText));
  if ([...one].every((value) => other.has(value))) return "widened";
  return [...other].every((value) => one.has(value)) ? "narrowed" : "changed";
}

/** An integer is a number too. */
function typesOf(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined) return undefined;
  const types = stringsOf(Array.isArray(value) ? value : [value]);
  return types.includes("number") ? [...types, "integer"] : types;
}

function enumWords(before: JsonValue | undefined, after: JsonValue | undefined): string {
  const one = new Set((Array.isArray(before) ? (before as readonly JsonValue[]) : []).map(canonicalText));
  const other = new Set((Array.isArray(after) ? (after as readonly JsonValue[]) : []).map(canonicalText));
  const more = [...other].filter((value) => !one.has(value));
  const fewer = [...one].filter((value) => !other.has(value));
  if (before === undefined || after === undefined || more.length + fewer.length > 5) return "takes other values";
  return [
    ...(more.length > 0 ? [`takes ${more.join(", ")} too`] : []),
    ...(fewer.length > 0 ? [`takes ${fewer.join(", ")} no more`] : []),
  ].join(" and ");
}

/** `wider`: whether a larger bound lets more through (1) or less (-1). */
function boundDirection(before: JsonValue | undefined, after: JsonValue | undefined, wider: 1 | -1): Direction {
  if (after === undefined) return "widened";
  if (before === undefined) return "narrowed";
  if (typeof before !== "number" || typeof after !== "number") return "changed";
  return (after - before) * wider > 0 ? "widened" : "narrowed";
}

function stringsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

function about(at: string, words: string): string {
  return at === "" ? `the whole ${words}` : `\`${at}\` ${words}`;
}

export function equal(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonicalText(one) === canonicalText(other);
}
