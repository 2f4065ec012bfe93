import { isObject } from "../../../base/json.ts";
import { sorted } from "../../../base/order.ts";
import type { ArgumentRule, Condition } from "../../../../runtime/contract.ts";
import { code } from "./code.ts";

/** The conditions on a call, as a sentence that goes on after "only when". */
export function conditionWords(rules: readonly ArgumentRule[]): string {
  return rules.map(ruleWords).join(", and ");
}

function ruleWords(rule: ArgumentRule): string {
  const subject = `${rule.argument.includes("[]") ? "each " : ""}${code(rule.argument)}`;
  const claims = sorted(new Set(rule.conditions.map(claim)));
  return `${subject} ${claims.join(" and ")}`;
}

function claim(condition: Condition): string {
  const claims: string[] = [];
  if (condition.glob !== undefined) claims.push(`matches ${code(condition.glob)} (it doesn't follow links)`);
  if (condition.enum !== undefined) claims.push(`is ${condition.enum.map((value) => code(json(value))).join(" or ")}`);
  if (condition.pattern !== undefined) claims.push(`as a whole matches the pattern ${code(condition.pattern)}`);
  if (condition.schema !== undefined) claims.push(`satisfies the schema ${code(json(condition.schema))}`);
  const all = claims.join(" and ");
  return condition.optional === true ? `is left out or ${all}` : all;
}

/** Keys sorted. Unlike canonical JSON it takes whatever text there is: a page is no digest. */
function json(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) =>
    isObject(v) ? Object.fromEntries(sorted(Object.keys(v)).map((key) => [key, v[key]])) : v,
  );
}
