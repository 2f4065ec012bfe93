import { patternCost } from "../../runtime/pattern-search.ts";
import { resolveReference } from "../../runtime/pinned-schema.ts";
import { isObject, own, type JsonObject, type JsonValue } from "./json.ts";
import { type PatternBudget, unsafeSearch } from "./safe-pattern.ts";

/**
 * Can a value be chosen that keeps a validator busy? A pinned schema is a stranger's, and so is a result that is held
 * against it. What can't be shown to be quick is slow: such a schema is judged under a deadline at run time, which costs
 * more. Every object of the schema is looked at once.
 */

/** Why, as the end of a sentence about the schema, or undefined when it is quick. `text` is its canonical text. */
export function slowness(schema: JsonValue, text: string, judge: PatternJudge): string | undefined {
  // Nearly every schema: too short to unfold to much, and without what could be slow in it.
  if (
    text.length < MOST_PARTS * 2 &&
    !/"(?:\$\w*[rR]ef|\$id|pattern|patternProperties|uniqueItems|format)":/.test(text)
  )
    return undefined;
  if (text.length > MOST_TEXT) return `is longer than ${MOST_TEXT} characters`;
  const walk: SchemaWalk = { root: schema, judge, unfolded: new Map(), why: undefined };
  const size = unfoldedSize(schema, walk, 0);
  if (walk.why !== undefined) return walk.why;
  return size > MOST_PARTS ? `unfolds to more than ${MOST_PARTS} parts` : undefined;
}

/**
 * Texts, numbers and names are parts too: a validator is compiled from each, for some in quadratic time. So many take
 * 40 ms at worst. The deepest of 4,117 real schemas has 23 levels, and the longest 49,000 characters.
 */
const MOST_PARTS = 500;
const MOST_TEXT = 200_000;
const DEEPEST = 100;

/** Measured to be linear, or about numbers. `url` is cubic, `regex` compiles what it reads, others are unknown. */
const QUICK_FORMATS: ReadonlySet<string> = new Set(
  (
    "date time date-time iso-time iso-date-time duration uri uri-reference uri-template email hostname ipv4 ipv6 uuid " +
    "json-pointer json-pointer-uri-fragment relative-json-pointer byte int32 int64 float double password binary"
  ).split(" "),
);

/** Why a pattern isn't linear. Each is judged once, with one budget for all that a manifest has. */
export type PatternJudge = (source: string) => string | undefined;

export function patternJudge(bytes: number): PatternJudge {
  const budget: PatternBudget = { steps: 1_000_000 + bytes * 100 };
  const known = new Map<string, string | undefined>();
  return (source) => {
    if (!known.has(source)) known.set(source, unsafeSearch(source, budget));
    return known.get(source);
  };
}

interface SchemaWalk {
  readonly root: JsonValue;
  readonly judge: PatternJudge;
  /** How many parts a validator may go through for one value, from here on; `UNDER` what is being counted. */
  readonly unfolded: Map<object, number>;
  /** The first reason that was found. */
  why: string | undefined;
}

const UNDER = -1;
/** A hundred lists of forty take a millisecond. */
const COST_OF_UNIQUE = 10;

/** What looks like data (`default`, `enum`) is counted as well: a reference may lead there. */
function unfoldedSize(value: JsonValue, walk: SchemaWalk, depth: number): number {
  if (walk.why !== undefined) return 0;
  if (typeof value !== "object" || value === null) return 1;
  const known = walk.unfolded.get(value);
  if (known === UNDER) return found(walk, "refers back to itself");
  if (known !== undefined) return known;
  if (depth > DEEPEST) return found(walk, `is nested more than ${DEEPEST} levels deep`);
  walk.unfolded.set(value, UNDER);
  let size = 1;
  if (isObject(value))
    for (const keyword of Object.keys(value)) {
      const part = value[keyword]!;
      sayFault(keyword, value, walk);
      size += extraCost(keyword, part);
      size += unfoldedSize(part, walk, depth + 1);
      if (keyword === "$ref" && typeof part === "string") size += unfoldedSize(target(part, walk), walk, depth + 1);
    }
  else for (const part of value as readonly JsonValue[]) size += unfoldedSize(part, walk, depth + 1);
  walk.unfolded.set(value, size);
  return size;
}

function target(reference: string, walk: SchemaWalk): JsonValue {
  const place = resolveReference(walk.root, reference);
  if (place === undefined) found(walk, "refers to what isn't a place in it");
  return place ?? null;
}

/** Of one keyword of a schema. */
function sayFault(keyword: string, schema: JsonObject, walk: SchemaWalk): void {
  const value = schema[keyword]!;
  switch (keyword) {
    case "$dynamicRef":
    case "$recursiveRef":
      return void found(walk, `uses \`${keyword}\``);
    // From there on `#` means another place, and what is followed here isn't what a validator follows.
    case "$id":
      return void (schema !== walk.root && found(walk, "has an `$id` of its own below the top"));
    case "uniqueItems":
      if (value === true && !isBounded(own(schema, "maxItems")))
        found(walk, "has `uniqueItems` on a list without a small `maxItems`");
      return;
    case "format":
      if (typeof value === "string" && !QUICK_FORMATS.has(value)) found(walk, `has the format \`${value}\``);
      return;
    case "pattern":
      return void (typeof value === "string" && judgePattern(value, walk));
    case "patternProperties":
      for (const pattern of isObject(value) ? Object.keys(value) : []) judgePattern(pattern, walk);
  }
}

/** Of what takes longer than most, in parts: patterns, which become code with the first text, and every two of a list. */
function extraCost(keyword: string, value: JsonValue): number {
  if (keyword === "uniqueItems") return value === true ? COST_OF_UNIQUE : 0;
  if (keyword === "pattern") return typeof value === "string" ? patternCost(value) : 0;
  if (keyword !== "patternProperties" || !isObject(value)) return 0;
  return Object.keys(value).reduce((cost, pattern) => cost + patternCost(pattern), 0);
}

function judgePattern(pattern: string, walk: SchemaWalk): void {
  const problem = walk.judge(pattern);
  if (problem !== undefined) found(walk, `has a pattern that ${problem}`);
}

/** Every two of a list are compared. */
function isBounded(most: JsonValue | undefined): boolean {
  return typeof most === "number" && most <= 100;
}

function found(walk: SchemaWalk, why: string): number {
  walk.why ??= why;
  return 0;
}
