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
    if (problem) report.add("role/bad-condition", within(place, "pattern"), { case: "pattern", problem });
    const partial = problem ? undefined : partialPattern(condition.pattern);
    if (partial)
      report.add("role/partial-pattern", within(place, "pattern"), { pattern: condition.pattern, ...partial });
  }
  if (condition.glob !== undefined) {
    const problem = pathGlobProblem(plainGlob(condition.glob));
    const advice = globAdvice(condition.glob);
    if (problem) report.add("role/bad-condition", within(place, "glob"), { case: "glob", problem, advice });
  }
  if (condition.schema !== undefined) {
    checkConditionSchema(condition.schema as JsonValue, within(place, "schema"), checkSchema, report);
  }
}

function checkConditionSchema(schema: JsonValue, place: Place, checkSchema: SchemaCheck, report: Report): void {
  // Patterns are told by themselves, each at its place.
  const slow = slowness(schema, JSON.stringify(schema), () => undefined);
  if (slow) return report.add("role/bad-condition", place, { case: "slow-schema", slow });
  if (!restricts(schema)) return report.add("role/bad-condition", place, { case: "open-schema" });
  const problem = checkSchema(schema, "condition");
  if (problem) return report.add("role/bad-condition", place, { case: "bad-schema", problem });
  for (const { source, path } of patternsIn(schema)) {
    const problem = unsafeSearch(source);
    const kind = source.startsWith("^") ? "schema-pattern" : "unanchored-pattern";
    if (problem) report.add("role/bad-condition", within(place, ...path), { case: kind, problem });
  }
}
