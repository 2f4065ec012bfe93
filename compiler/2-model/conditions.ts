import type { JsonValue } from "../base/json.ts";
import { within, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { ConditionsBlock } from "../../schemas/types.ts";
import type { Condition } from "../../runtime/contract.ts";
import { pathGlobProblem } from "../../runtime/path-glob.ts";
import { partialPattern } from "./partial-pattern.ts";
import { plainGlob, globAdvice } from "./path-glob-advice.ts";
import { restricts } from "./restricting-schema.ts";
import { unsafePattern, unsafeSearch } from "../base/safe-pattern.ts";
import { slowness } from "../base/slow-schema.ts";
import { patternsIn } from "./schema-patterns.ts";
import type { ArgumentCondition, SchemaCheck } from "./types.ts";

/** The conditions of one `where`, by argument. Whether a tool has the argument is judged where it is held. */
export function linkConditions(
  block: ConditionsBlock,
  place: Place,
  checkSchema: SchemaCheck,
  report: Report,
): ArgumentCondition[] {
  return Object.entries(block)
    .map(([argument, condition]) => {
      const at = within(place, argument);
      checkCondition(condition, at, checkSchema, report);
      return { argument, condition: inPlainForm(condition as Condition), place: at };
    })
    .sort((a, b) => (a.argument < b.argument ? -1 : 1));
}

/** `./drafts/**` is `drafts/**`: what goes on is the second. */
function inPlainForm(condition: Condition): Condition {
  return condition.glob === undefined ? condition : { ...condition, glob: plainGlob(condition.glob) };
}

function checkCondition(
  condition: ConditionsBlock[string],
  place: Place,
  checkSchema: SchemaCheck,
  report: Report,
): void {
  if (condition.pattern !== undefined) {
    const problem = unsafePattern(condition.pattern);
    const help = "write it simpler, or use `enum` or `glob`";
    if (problem) report.add("role/bad-condition", within(place, "pattern"), { kind: "pattern", problem, help });
    const partial = problem ? undefined : partialPattern(condition.pattern);
    if (partial)
      report.add("role/partial-pattern", within(place, "pattern"), { pattern: condition.pattern, ...partial });
  }
  if (condition.glob !== undefined) {
    const problem = pathGlobProblem(plainGlob(condition.glob));
    const help = globAdvice(condition.glob);
    if (problem) report.add("role/bad-condition", within(place, "glob"), { kind: "glob", problem, help });
  }
  if (condition.schema !== undefined) {
    checkConditionSchema(condition.schema as JsonValue, within(place, "schema"), checkSchema, report);
  }
}

function checkConditionSchema(schema: JsonValue, place: Place, checkSchema: SchemaCheck, report: Report): void {
  // Patterns are told by themselves, each at its place.
  const slow = slowness(schema, JSON.stringify(schema), () => undefined);
  if (slow) {
    const simpler = "write it without references to itself, and give a list with `uniqueItems` a `maxItems`";
    return report.add("role/bad-condition", place, {
      kind: "schema",
      problem: `can take very long: it ${slow}`,
      help: simpler,
    });
  }
  const problem = restricts(schema) ? checkSchema(schema, "condition") : "restricts nothing: every value satisfies it";
  const help = "write a JSON Schema that refuses something, with keywords that JSON Schema has";
  if (problem) return report.add("role/bad-condition", place, { kind: "schema", problem, help });
  for (const { source, path } of patternsIn(schema)) {
    const unsafe = unsafeSearch(source);
    const begin = source.startsWith("^") ? "" : "begin it with `^`, ";
    const simpler = `${begin}write it simpler, or use \`pattern\` beside the schema`;
    if (unsafe)
      report.add("role/bad-condition", within(place, ...path), { kind: "pattern", problem: unsafe, help: simpler });
  }
}
