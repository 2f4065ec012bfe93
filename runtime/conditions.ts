/**
 * Do the arguments of a call keep to the conditions? One piece of code answers, when a project is built and
 * when a tool is called. It reads data only and refuses whatever it can't read.
 *
 * An array is judged element by element, whatever the condition: it needs at least one, and each must satisfy.
 */
import { canonicalText } from "./canonical.ts";
import type { ArgumentRule, Condition, JsonValue } from "./contract.ts";
import { isList, isObject, sizeLeft } from "./json-values.ts";
import { pathRefusalOf, workOfPath } from "./path-glob.ts";
import { boundedPattern } from "./pattern-search.ts";
import { unnamedArgumentOf } from "./pinned-schema.ts";

/** What is known of the tool. */
export interface JudgedTool {
  /** Its pinned input schema: an argument that it doesn't name isn't taken. */
  readonly schema: JsonValue;
  readonly satisfies: (schema: JsonValue, value: JsonValue) => boolean;
}

export type Judgement = { readonly ok: true } | { readonly ok: false; readonly argument: string; readonly why: string };

/**
 * `args` is the one canonical copy; `root` the absolute directory that paths are relative to,
 * undefined where it isn't known. `why` is for people and may hold their text: escape it.
 */
export type Judge = (args: JsonValue, root: string | undefined) => Judgement;

/** What rules and schema say is read once, for all calls. */
export function judgeOf(rules: readonly ArgumentRule[], { schema, satisfies }: JudgedTool): Judge {
  if (rules.length === 0) return () => FINE;
  const unnamedIn = unnamedArgumentOf(schema);
  const readings = rules.map((rule) => ({ argument: rule.argument, objectionTo: readRule(rule, satisfies) }));
  return (args, root) => {
    if (!isObject(args)) return { ok: false, argument: "", why: "the arguments aren't an object" };
    const scene = { root, work: MOST_WORK };
    const unnamed = unnamedIn(args, scene);
    if (unnamed !== undefined) {
      const why = scene.work < 0 ? `\`${unnamed}\` ${TOO_MUCH}` : `the tool's schema doesn't name \`${unnamed}\``;
      return { ok: false, argument: unnamed, why };
    }
    for (const { argument, objectionTo } of readings) {
      const objection = objectionTo(args, scene);
      if (objection !== undefined) return { ok: false, argument, why: `\`${argument}\` ${objection}` };
    }
    return FINE;
  };
}

const FINE: Judgement = { ok: true };

/** One step of a path: the property, and whether to go into each element of the list that it holds. */
export interface ArgumentStep {
  readonly name: string;
  readonly each: boolean;
}

/**
 * `options.path`, `edits[].path`: names divided by dots, `[]` for each element of a list. A dot, bracket or
 * backslash that belongs to a name has a backslash before it (`prop\.dot`). Names aren't empty, and `[]`
 * isn't doubled: a list in a list can't be judged. Undefined when the text is no such path.
 */
export function parseArgumentPath(path: string): readonly ArgumentStep[] | undefined {
  const steps: ArgumentStep[] = [];
  const step = /((?:[^.[\]\\]|\\[.[\]\\])+)(\[\])?(\.|$)/gsuy;
  for (let divider: string | undefined = "."; divider === ".";) {
    const found = step.exec(path);
    if (found === null) return undefined;
    steps.push({ name: found[1]!.replace(/\\(.)/gsu, "$1"), each: found[2] !== undefined });
    divider = found[3];
  }
  return steps;
}

/** A property's name as a path writes it. */
export function escapeArgumentName(name: string): string {
  return name.replace(/[.[\]\\]/g, "\\$&");
}

/** What is the same for all rules of a call. */
interface Scene {
  readonly root: string | undefined;
  /** How much may still be judged: a list has as many texts as its caller likes. */
  work: number;
}

/** The end of a sentence that begins with the argument, or undefined when it is as it should be. */
type Reading<Value> = (value: Value, scene: Scene) => string | undefined;

function readRule({ argument, conditions }: ArgumentRule, satisfies: JudgedTool["satisfies"]): Reading<JsonValue> {
  const steps = parseArgumentPath(argument);
  if (steps === undefined) return () => "isn't the path of an argument";
  if (conditions.length === 0) return () => "has a rule that says nothing";
  const optional = conditions.every((condition) => condition.optional === true);
  const readings = conditions.map((condition) => readCondition(condition, satisfies));
  const ofValue: Reading<JsonValue> = (value, scene) => objectionToValue(value, readings, scene);
  return steps.reduceRight((next, step) => readStep(step, optional, next), ofValue);
}

function readStep({ name, each }: ArgumentStep, optional: boolean, next: Reading<JsonValue>): Reading<JsonValue> {
  return (value, scene) => {
    if (!isObject(value)) return "isn't there: what should hold it is no object";
    if (!Object.hasOwn(value, name)) return optional ? undefined : "is left out";
    const inner = value[name]!;
    if (!each) return next(inner, scene);
    if (!isList(inner)) return "isn't a list";
    const shape = shapeOfList(inner);
    if (shape !== undefined) return shape;
    for (const element of inner) {
      const objection = next(element, scene);
      if (objection !== undefined) return objection;
    }
    return undefined;
  };
}

function objectionToValue(
  value: JsonValue,
  readings: readonly Reading<readonly JsonValue[]>[],
  scene: Scene,
): string | undefined {
  const shape = isList(value) ? shapeOfList(value) : undefined;
  if (shape !== undefined) return shape;
  const elements = isList(value) ? value : [value];
  for (const reading of readings) {
    const objection = reading(elements, scene);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function shapeOfList(list: readonly JsonValue[]): string | undefined {
  if (list.length === 0) return "is an empty list";
  return list.some(isList) ? "is a list of lists" : undefined;
}

const KINDS: readonly string[] = ["glob", "enum", "pattern", "schema", "optional"];

/** A condition without content, or with a key that only a newer version knows, holds for nothing. */
function readCondition(condition: Condition, satisfies: JudgedTool["satisfies"]): Reading<readonly JsonValue[]> {
  const { glob, enum: allowed, pattern, schema } = condition;
  if (!Object.keys(condition).every((key) => KINDS.includes(key))) return () => "has a condition of an unknown kind";
  if (glob === undefined && allowed === undefined && pattern === undefined && schema === undefined)
    return () => "has a condition that says nothing";
  const whole = pattern === undefined ? undefined : wholePattern(pattern);
  const refusalOf = glob === undefined ? undefined : pathRefusalOf(glob);
  const isAllowed = allowed === undefined ? undefined : readEnum(allowed);
  const schemaSize = schema === undefined ? 0 : weightOf(schema);
  return (elements, scene) => {
    for (const element of elements) {
      if (isAllowed === undefined) break;
      if (!isAllowed(element, scene)) return scene.work < 0 ? TOO_MUCH : "isn't one of the allowed values";
    }
    for (const element of elements) {
      if (schema === undefined) break;
      scene.work -= WORK_OF_SCHEMA * schemaSize * (FIXED_WORK + weightOf(element));
      if (scene.work < 0) return TOO_MUCH;
      if (!satisfies(schema, element)) return "doesn't satisfy the schema";
    }
    if (refusalOf === undefined && pattern === undefined) return undefined;
    for (const element of elements) {
      if (typeof element !== "string") return "isn't text";
      if (pattern !== undefined) scene.work -= WORK_OF_PATTERN * (element.length + FIXED_WORK) ** 2;
      if (glob !== undefined) scene.work -= workOfPath(element, glob);
      if (scene.work < 0) return TOO_MUCH;
      const refusal = refusalOf?.(element, scene.root);
      if (refusal !== undefined) return refusal;
      if (pattern !== undefined && !matchesWhole(whole, element)) return `doesn't match the pattern \`${pattern}\``;
    }
    return undefined;
  };
}

const TOO_MUCH = "holds more text than one call may have judged";

/** What has parts is looked up by its canonical text: a list may be long. */
function readEnum(allowed: readonly JsonValue[]): (element: JsonValue, scene: Scene) => boolean {
  const plain = new Set(allowed);
  const texts = new Set(allowed.flatMap((one) => (hasParts(one) ? (knownBy(one) ?? []) : [])));
  return (element, scene) => {
    if (!hasParts(element)) return plain.has(element);
    scene.work -= WORK_OF_TEXT * weightOf(element);
    if (scene.work < 0) return false;
    const text = knownBy(element);
    return text !== undefined && texts.has(text);
  };
}

function hasParts(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** Undefined for what no call can hold: half a surrogate pair, or nesting without end. */
function knownBy(value: JsonValue): string | undefined {
  try {
    return canonicalText(value);
  } catch {
    return undefined;
  }
}

function weightOf(value: JsonValue): number {
  return MOST_WORK - sizeLeft(value, MOST_WORK);
}

/** Bounds the work of a pattern that is at worst quadratic. */
const LONGEST_TEXT = 4096;
/** In steps of which a millisecond has three million: less than a tenth of a second at worst. */
const MOST_WORK = 16 * LONGEST_TEXT ** 2;
const FIXED_WORK = 64;
/** Of each value and character that is written. */
const WORK_OF_TEXT = 2 * FIXED_WORK;
/** The dearest that is let through is three times quadratic. */
const WORK_OF_PATTERN = 4;
/** Letters of two units are counted one by one, by each keyword about lengths. */
const WORK_OF_SCHEMA = 3;

/** The first line is the test that the pattern stands on its own: `a)|(?:b` would break out of the group. */
function wholePattern(pattern: string): RegExp | undefined {
  try {
    new RegExp(pattern, "u");
    return boundedPattern(`^(?:${pattern})$`, "u");
  } catch {
    return undefined;
  }
}

function matchesWhole(whole: RegExp | undefined, text: string): boolean {
  return whole !== undefined && text.length <= LONGEST_TEXT && whole.test(text);
}
