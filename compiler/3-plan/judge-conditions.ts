import { isObject, type JsonValue } from "../base/json.ts";
import { MOST_STEPS, unsafePattern, unsafeSearch, type PatternBudget } from "../base/safe-pattern.ts";
import { slowness } from "../base/slow-schema.ts";
import { pathGlobProblem } from "../../runtime/path-glob.ts";
import type { ArgumentRule, Condition } from "../../runtime/contract.ts";
import type { Access } from "./access.ts";

/**
 * What makes it dangerous to ask conditions anything, as the end of a sentence about the file that they stand in: nobody
 * compiled them here. What a source may say may be said, and as a whole no more than is compared in some seconds.
 */
export function conditionsProblem({ roles }: Access): string | undefined {
  const judged = createJudged();
  const counted = new Set<string>();
  let compared = 0;
  for (const { tool, rule } of rulesIn(roles)) {
    const about = `has a condition on \`${rule.argument}\` of \`${tool}\``;
    if (rule.conditions.length > MOST_CONDITIONS) return `${about} that has more than ${MOST_CONDITIONS} parts`;
    const problem = rule.conditions.map(judged).find((one) => one !== undefined);
    if (problem !== undefined) return `${about} ${problem}`;
    const once = JSON.stringify([tool, rule]);
    if (!counted.has(once)) compared += costOf(rule.conditions);
    counted.add(once);
    if (compared > MOST_COMPARED) return `${about}, and with it more than can be compared in a while`;
  }
  return undefined;
}

/** Of roles and policies together; projects have a few. */
const MOST_CONDITIONS = 100;
/** At worst ten seconds. */
const MOST_COMPARED = 3e7;
/** Longer ones have more places at which a text can be. */
const SHORT = 64;
/** To make a judge of one takes a tenth of a millisecond, and room. */
const COST_OF_SCHEMA = 10_000;
/** What a pattern such as `.*word.*` takes, a hundred times. */
const MOST_STEPS_OF_ALL = 40_000_000;

/** Each place of a glob or pattern is held against each of another. */
function costOf(conditions: readonly Condition[]): number {
  const values = conditions.flatMap(({ enum: listed = [] }) => listed);
  const schemas = conditions.filter(({ schema }) => schema !== undefined);
  const texts = conditions.flatMap(({ glob = "", pattern = "" }) => [glob, pattern]);
  const ofTexts = texts.reduce((sum, { length }) => sum + (length > SHORT ? length ** 2 : 0), 0);
  return values.length + schemas.length * COST_OF_SCHEMA + ofTexts;
}

function* rulesIn(roles: Access["roles"]): Generator<{ readonly tool: string; readonly rule: ArgumentRule }> {
  for (const { servers } of roles)
    for (const { tools } of servers)
      for (const { name, where } of tools) for (const rule of where) yield { tool: name, rule };
}

type Judged = (condition: Condition) => string | undefined;

/** Roles share what a policy says: each text is judged once, and patterns have one budget for all. */
function createJudged(): Judged {
  const patternOf = withinBudget(unsafePattern);
  const searchOf = withinBudget(unsafeSearch);
  const globOf = knownBy(pathGlobProblem);
  const schemaOf = knownBy((text) => slowness(JSON.parse(text) as JsonValue, text, searchOf));
  return (condition) => {
    const { glob, pattern, schema } = condition;
    if (!isShaped(condition)) return "that is none";
    const [ofPattern, ofGlob] = [pattern && patternOf(pattern), glob === undefined ? undefined : globOf(glob)];
    if (ofPattern) return `with a pattern that ${ofPattern}`;
    if (ofGlob !== undefined) return `with a glob that ${ofGlob}`;
    const slow = schema === undefined ? undefined : schemaOf(JSON.stringify(schema));
    return slow === undefined ? undefined : `with a schema that ${slow}`;
  };
}

/** A key that isn't known here lets nothing through, whatever it holds. */
function isShaped({ glob, enum: listed, pattern, schema, optional }: { readonly [key in keyof Condition]: unknown }) {
  return (
    [glob, pattern].every((one) => one === undefined || typeof one === "string") &&
    (listed === undefined || Array.isArray(listed)) &&
    (schema === undefined || typeof schema === "boolean" || isObject(schema)) &&
    (optional === undefined || typeof optional === "boolean")
  );
}

function knownBy(judge: (text: string) => string | undefined): (text: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, judge(text));
    return known.get(text);
  };
}

function withinBudget(
  judge: (source: string, budget: PatternBudget) => string | undefined,
): (source: string) => string | undefined {
  let left = MOST_STEPS_OF_ALL;
  return knownBy((source) => {
    const budget = { steps: Math.min(left, MOST_STEPS) };
    left -= budget.steps;
    const problem = judge(source, budget);
    left += Math.max(0, budget.steps);
    return problem;
  });
}
