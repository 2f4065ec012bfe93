import { isObject } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { visible } from "../base/visible.ts";
import type { ArgumentRule, Condition } from "../../runtime/contract.ts";

/** Conditions for people: as a sentence on a page, and line by line on a terminal. */

type Code = (text: string) => string;

/** On a page, as a sentence that goes on after "only when". `code` is how the page shows what was written. */
export function conditionSentence(rules: readonly ArgumentRule[], code: Code): string {
  return rules.map((rule) => ruleWords(rule, code)).join(", and ");
}

function ruleWords(rule: ArgumentRule, code: Code): string {
  const subject = `${rule.argument.includes("[]") ? "each " : ""}${code(rule.argument)}`;
  const claims = sorted(new Set(rule.conditions.map((condition) => claimWords(condition, code))));
  return `${subject} ${claims.join(" and ")}`;
}

function claimWords(condition: Condition, code: Code): string {
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

/** On a terminal: `path must match tests/**`, one line for each condition. */
export function conditionDemands(rules: readonly ArgumentRule[]): string[] {
  return rules.flatMap((rule) =>
    rule.conditions.map((condition) => `${visible(rule.argument)} ${demandWords(condition).join(" and ")}`),
  );
}

function demandWords(condition: Condition): string[] {
  const values = condition.enum?.map((value) => visible(JSON.stringify(value)));
  const must = [
    ...(condition.glob === undefined ? [] : [`must match the glob \`${visible(condition.glob)}\``]),
    ...(values === undefined
      ? []
      : [values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(", ")}`]),
    ...(condition.pattern === undefined ? [] : [`must match the pattern \`${visible(condition.pattern)}\``]),
    ...(condition.schema === undefined ? [] : [`must satisfy the schema ${visible(JSON.stringify(condition.schema))}`]),
  ];
  return condition.optional === true ? [...must, "may be left out"] : must;
}
