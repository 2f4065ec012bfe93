/**
 * Do the arguments of a call keep to the conditions? One piece of code answers, when a project is built and
 * when a tool is called. It reads data only and refuses whatever it can't read.
 *
 * An array is judged element by element, whatever the condition: it needs at least one, and each must satisfy.
 */
import type { ArgumentRule, Condition, JsonValue } from "./contract.ts";
import { pathRefusal } from "./path-glob.ts";
import { unnamedArgument } from "./pinned-schema.ts";

export interface JudgeContext {
  /** The absolute directory that paths are relative to; undefined where it isn't known. */
  readonly root: string | undefined;
  /** The tool's pinned input schema: an argument that it doesn't name isn't taken. */
  readonly schema: JsonValue;
  satisfies(schema: JsonValue, value: JsonValue): boolean;
}

export type Judgement = { readonly ok: true } | { readonly ok: false; readonly argument: string; readonly why: string };

/** `args` is the one canonical copy (canonicalText, read back). `why` is for people and may hold their text: escape it. */
export function judge(rules: readonly ArgumentRule[], args: JsonValue, context: JudgeContext): Judgement {
  if (rules.length === 0) return { ok: true };
  if (!isObject(args)) return { ok: false, argument: "", why: "the arguments aren't an object" };
  const unnamed = unnamedArgument(context.schema, args);
  if (unnamed !== undefined)
    return { ok: false, argument: unnamed, why: `the tool's schema doesn't name \`${unnamed}\`` };
  for (const rule of rules) {
    const objection = objectionTo(rule, args, context);
    if (objection !== undefined)
      return { ok: false, argument: rule.argument, why: `\`${rule.argument}\` ${objection}` };
  }
  return { ok: true };
}

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

/** The end of a sentence that begins with the argument, or undefined when the rule is kept. */
function objectionTo(rule: ArgumentRule, args: JsonValue, context: JudgeContext): string | undefined {
  const steps = parseArgumentPath(rule.argument);
  if (steps === undefined) return "isn't the path of an argument";
  if (rule.conditions.length === 0) return "has a rule that says nothing";
  return follow(steps, 0, args, rule.conditions, context);
}

function follow(
  steps: readonly ArgumentStep[],
  index: number,
  value: JsonValue,
  conditions: readonly Condition[],
  context: JudgeContext,
): string | undefined {
  const step = steps[index];
  if (step === undefined) return objectionToValue(value, conditions, context);
  if (!isObject(value)) return "isn't there: what should hold it is no object";
  if (!Object.hasOwn(value, step.name))
    return conditions.every((condition) => condition.optional === true) ? undefined : "is left out";
  const inner = value[step.name]!;
  if (!step.each) return follow(steps, index + 1, inner, conditions, context);
  if (!isList(inner)) return "isn't a list";
  const shape = shapeOfList(inner);
  if (shape !== undefined) return shape;
  for (const element of inner) {
    const objection = follow(steps, index + 1, element, conditions, context);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function objectionToValue(
  value: JsonValue,
  conditions: readonly Condition[],
  context: JudgeContext,
): string | undefined {
  const shape = isList(value) ? shapeOfList(value) : undefined;
  if (shape !== undefined) return shape;
  const elements = isList(value) ? value : [value];
  for (const condition of conditions) {
    const objection = unmet(condition, elements, context);
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
function unmet(condition: Condition, elements: readonly JsonValue[], context: JudgeContext): string | undefined {
  const { glob, enum: allowed, pattern, schema } = condition;
  if (!Object.keys(condition).every((key) => KINDS.includes(key))) return "has a condition of an unknown kind";
  if (glob === undefined && allowed === undefined && pattern === undefined && schema === undefined)
    return "has a condition that says nothing";
  if (allowed !== undefined && !elements.every((element) => allowed.some((one) => sameJson(one, element))))
    return "isn't one of the allowed values";
  if (schema !== undefined && !elements.every((element) => context.satisfies(schema, element)))
    return "doesn't satisfy the schema";
  if (glob === undefined && pattern === undefined) return undefined;
  const whole = pattern === undefined ? undefined : wholePattern(pattern);
  for (const element of elements) {
    if (typeof element !== "string") return "isn't text";
    const refusal = glob === undefined ? undefined : pathRefusal(glob, element, context.root);
    if (refusal !== undefined) return refusal;
    if (pattern !== undefined && !matchesWhole(whole, element)) return `doesn't match the pattern \`${pattern}\``;
  }
  return undefined;
}

/** The same canonical text, without making it. */
function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (isList(a)) return isList(b) && a.length === b.length && a.every((element, i) => sameJson(element, b[i]!));
  if (!isObject(a)) return a === b;
  if (!isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key]!, b[key]!))
  );
}

/** Bounds the work of a pattern that is at worst quadratic. */
const LONGEST_TEXT = 4096;

/** The first line is the test that the pattern stands on its own: `a)|(?:b` would break out of the group. */
function wholePattern(pattern: string): RegExp | undefined {
  try {
    new RegExp(pattern, "u");
    return new RegExp(`^(?:${pattern})$`, "u");
  } catch {
    return undefined;
  }
}

function matchesWhole(whole: RegExp | undefined, text: string): boolean {
  return whole !== undefined && text.length <= LONGEST_TEXT && whole.test(text);
}

function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Array.isArray alone doesn't see that a readonly array is one. */
function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
