import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { shapeOfPattern, type Shape } from "../base/pattern-syntax.ts";
import { stableText } from "../base/stable-text.ts";
import { judgeOf, type JudgedTool } from "../../runtime/conditions.ts";
import type { Condition } from "../../runtime/contract.ts";
import { PATHS, pathOfText, shapeOfGlob } from "./glob-shape.ts";
import { ANY_TEXT, includes, shortestOf } from "./inclusion.ts";

export type Satisfies = JudgedTool["satisfies"];

/** `value`: one that keeps to these and not to that, where one was found: the runtime's own judge said so of both. */
export type Implied = { readonly holds: true } | { readonly holds: false; readonly value?: JsonValue };

const HOLDS: Implied = { holds: true };

/** Whether whatever keeps to all of these conditions keeps to that one too. What can't be told doesn't. */
export function implies(these: readonly Condition[], that: Condition, satisfies: Satisfies): Implied {
  if (these.some((one) => stableText(withoutOptional(one)) === stableText(withoutOptional(that)))) return HOLDS;
  const [keepsToThese, keepsToThat] = [passing(these, satisfies), passing([that], satisfies)];
  const escapes = (value: JsonValue): boolean => keepsToThese(value) && !keepsToThat(value);
  const listed = these.find((one) => one.enum !== undefined)?.enum;
  if (listed !== undefined) {
    const found = listed.find(escapes);
    if (found !== undefined) return { holds: false, value: found };
    // Whether a glob takes an absolute path depends on a root that nobody knows here.
    return listed.some(isAbsolute) ? { holds: false } : HOLDS;
  }
  const parts = (["glob", "enum", "pattern", "schema"] as const).filter((part) => that[part] !== undefined);
  if (parts.length === 0 || Object.keys(that).some((key) => !KEYS.has(key))) return { holds: false };
  const judged = parts.map((part) => JUDGES[part](these, that));
  if (judged.every(({ holds }) => holds)) return HOLDS;
  const examples = judged.flatMap((one) => one.examples);
  const value = [...examples, ...these.flatMap(examplesOf), ...ANYTHING].find(escapes);
  return value === undefined ? { holds: false } : { holds: false, value };
}

/** What else stands there is understood by nobody. */
const KEYS = new Set(["glob", "enum", "pattern", "schema", "optional"]);

function isAbsolute(value: JsonValue): boolean {
  return typeof value === "string" && value.startsWith("/");
}

/** Whether a value keeps to each of these. To read a long list of values takes longer than to look one up. */
export function passing(conditions: readonly Condition[], satisfies: Satisfies): (value: JsonValue) => boolean {
  const judges = conditions.map((condition) =>
    judgeOf([{ argument: "value", conditions: [condition] }], { schema: NAMES_VALUE, satisfies }),
  );
  return (value) => judges.every((judge) => judge({ value }, undefined).ok);
}

/** Values that may keep to a condition; whoever asks judges them. */
export function examplesOf({ glob, enum: listed = [], pattern, schema }: Condition): JsonValue[] {
  return [
    ...listed,
    ...(glob === undefined ? [] : texts(shapeOfGlob(glob), pathOfText, PATHS)),
    ...(pattern === undefined ? [] : texts(exactShape(pattern) ?? looseShape(pattern), asIs, ANY_TEXT)),
    ...(isObject(schema) ? numbersOf(schema) : []),
  ];
}

/** For an argument of which nothing is said. */
export const ANYTHING: readonly JsonValue[] = ["x", "other", ".", "a/b", "", 0, 1, -1, 1e9, true, false, null];

const NAMES_VALUE = { type: "object", properties: { value: true } };

interface Judged {
  readonly holds: boolean;
  readonly examples: readonly JsonValue[];
}

const UNKNOWN: Judged = { holds: false, examples: [] };

const JUDGES: Readonly<
  Record<"glob" | "enum" | "pattern" | "schema", (these: readonly Condition[], that: Condition) => Judged>
> = {
  enum: () => UNKNOWN,
  glob: (these, that) => {
    const outer = shapeOfGlob(that.glob!);
    const globs = these.flatMap(({ glob }) => (glob === undefined ? [] : [shapeOfGlob(glob)]));
    return anyWithin(globs, outer, pathOfText, PATHS);
  },
  pattern: (these, that) => {
    const outer = exactShape(that.pattern!);
    const patterns = these.flatMap(({ pattern }) => (pattern === undefined ? [] : [looseShape(pattern)]));
    return outer === undefined ? UNKNOWN : anyWithin(patterns, outer, asIs, ANY_TEXT);
  },
  schema: (these, that) => {
    const wanted = rangeOf(that.schema);
    const given = these.flatMap(({ schema }) => rangeOf(schema) ?? []);
    const holds = wanted !== undefined && given.some((range) => isWithin(range, wanted));
    return { holds, examples: isObject(that.schema) ? numbersOf(that.schema) : [] };
  },
};

function anyWithin(inner: readonly Shape[], outer: Shape, written: (text: string) => string, among: Shape): Judged {
  const examples: string[] = [];
  for (const shape of inner) {
    const found = includes(outer, shape, among);
    if (found?.holds === true) return { holds: true, examples: [] };
    if (found?.holds === false) examples.push(written(found.example));
  }
  return { holds: false, examples };
}

function texts(shape: Shape | undefined, written: (text: string) => string, among: Shape): string[] {
  const shortest = shape === undefined ? undefined : shortestOf(shape, among);
  return shortest === undefined ? [] : [written(shortest)];
}

function asIs(text: string): string {
  return text;
}

/**
 * The shape leaves out what stands between characters, takes `\\p` for any, and knows no groups that look around: with these
 * it holds too much.
 */
function exactShape(pattern: string): Shape | undefined {
  const bare = pattern.replace(/\\(?![bBpP])[^]/gu, "");
  if (/\\[bBpP]|\$|(?<!\[)\^|\(\?(?!:)/u.test(bare)) return undefined;
  const shape = shapeOfPattern(pattern);
  return typeof shape === "string" ? undefined : shape;
}

function looseShape(pattern: string): Shape {
  const shape = shapeOfPattern(pattern);
  return typeof shape === "string" ? ANY_TEXT : shape;
}

interface NumberRange {
  readonly least: number;
  readonly most: number;
  /** The ends belong to it. */
  readonly withLeast: boolean;
  readonly withMost: boolean;
  readonly whole: boolean;
}

const OF_RANGES = new Set(["type", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]);

/** Undefined: it says something else too, or isn't about numbers. */
function rangeOf(schema: JsonValue | undefined): NumberRange | undefined {
  if (!isObject(schema) || !Object.keys(schema).every((key) => OF_RANGES.has(key))) return undefined;
  const type = own(schema, "type");
  if (type !== "number" && type !== "integer") return undefined;
  const [least, above] = [numberAt(schema, "minimum"), numberAt(schema, "exclusiveMinimum")];
  const [most, below] = [numberAt(schema, "maximum"), numberAt(schema, "exclusiveMaximum")];
  return {
    least: Math.max(least ?? -Infinity, above ?? -Infinity),
    withLeast: (least ?? -Infinity) > (above ?? -Infinity),
    most: Math.min(most ?? Infinity, below ?? Infinity),
    withMost: (most ?? Infinity) < (below ?? Infinity),
    whole: type === "integer",
  };
}

function isWithin(inner: NumberRange, outer: NumberRange): boolean {
  const above = inner.least > outer.least || (inner.least === outer.least && (outer.withLeast || !inner.withLeast));
  const below = inner.most < outer.most || (inner.most === outer.most && (outer.withMost || !inner.withMost));
  return above && below && (inner.whole || !outer.whole);
}

function numbersOf(schema: JsonObject): number[] {
  const ends = [...OF_RANGES].flatMap((key) => numberAt(schema, key) ?? []);
  return ends.flatMap((end) => [end, end + 1, end - 1, end + 0.5, end - 0.5]);
}

function numberAt(schema: JsonObject, key: string): number | undefined {
  const value = own(schema, key);
  return typeof value === "number" ? value : undefined;
}

function withoutOptional(condition: Condition): JsonValue {
  return Object.fromEntries(Object.entries(condition).filter(([key]) => key !== "optional")) as JsonValue;
}
