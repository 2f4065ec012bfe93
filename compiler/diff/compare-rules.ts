import type { JsonValue } from "../base/json.ts";
import type { ArgumentRule, Condition } from "../../runtime/contract.ts";
import { ANYTHING, implies, passing, type Satisfies } from "./implies.ts";

/** Where one set of conditions lets more through than another. */
export interface Opening {
  readonly argument: string;
  /** What passes now and didn't: a value, or that it is left out. Undefined: nothing was found, and it counts all the same. */
  readonly by: { readonly value: JsonValue } | "left out" | undefined;
}

/** What `after` lets through and `before` doesn't, the first for each argument. Empty: nothing. */
export type Opens = (before: readonly ArgumentRule[], after: readonly ArgumentRule[]) => readonly Opening[];

/** Roles share what a policy says: the same two are compared once. */
export function opensBy(satisfies: Satisfies): Opens {
  const known = new Map<string, readonly Opening[]>();
  return (before, after) => {
    const both = JSON.stringify([before, after]);
    const found = known.get(both) ?? openingsOf(before, after, satisfies);
    known.set(both, found);
    return found;
  };
}

function openingsOf(before: readonly ArgumentRule[], after: readonly ArgumentRule[], satisfies: Satisfies): Opening[] {
  const now = new Map(after.map((rule) => [rule.argument, rule]));
  return before.flatMap((rule): Opening[] => {
    const { argument } = rule;
    const still = now.get(argument);
    if (!isOptional(rule) && (still === undefined || isOptional(still))) return [{ argument, by: "left out" }];
    for (const condition of rule.conditions) {
      if (still === undefined) {
        const passes = passing([condition], satisfies);
        const value = ANYTHING.find((one) => !passes(one));
        return [{ argument, by: value === undefined ? undefined : { value } }];
      }
      const implied = implies(still.conditions, condition, satisfies);
      if (!implied.holds) return [{ argument, by: implied.value === undefined ? undefined : { value: implied.value } }];
    }
    return [];
  });
}

/** An argument may be left out where every condition on it says so. */
function isOptional({ conditions }: ArgumentRule): boolean {
  return conditions.every(({ optional }) => optional === true);
}

/** By argument, as access.json has them. */
export function rulesJson(rules: readonly ArgumentRule[]): JsonValue {
  return Object.fromEntries(rules.map(({ argument, conditions }) => [argument, conditions as readonly JsonValue[]]));
}

/** What `rulesJson` told. */
export function rulesOf(rules: JsonValue): ArgumentRule[] {
  return Object.entries(rules as Readonly<Record<string, readonly Condition[]>>).map(([argument, conditions]) => ({
    argument,
    conditions,
  }));
}
