import { canonicalText } from "../base/canonical.ts";
import type { JsonValue } from "../base/json.ts";
import type { ArgumentRule } from "../../runtime/contract.ts";
import type { ArgumentCondition } from "../2-model/types.ts";
import type { Decision, Effect, Reason } from "./types.ts";

/**
 * Who wins, whatever the order of files and lines:
 *
 *   held = (union of every include) minus (union of every exclude), within the ceilings, minus what policies deny;
 *   a tool that anyone wants asked is asked; every condition holds, all at once.
 *
 * A rule only ever adds its own word: nothing here lifts what another rule restricts.
 */
export interface Rule {
  readonly says: "grant" | "take-away" | "ask" | "condition";
  readonly reason: Reason;
  readonly conditions: readonly ArgumentCondition[];
}

export function decideBy(rules: readonly Rule[], nothing: Reason): Decision {
  const granted = rules.some((rule) => rule.says === "grant");
  const takenAway = rules.some((rule) => rule.says === "take-away");
  if (!granted || takenAway) {
    const decisive = rules
      .filter((rule) => rule.says === "grant" || rule.says === "take-away")
      .map((rule) => rule.reason);
    return { effect: "deny", where: [], because: granted ? decisive : [nothing, ...decisive] };
  }
  const effect: Effect = rules.some((rule) => rule.says === "ask") ? "ask" : "allow";
  return {
    effect,
    where: uniteConditions(rules.flatMap((rule) => rule.conditions)),
    because: rules.map((rule) => rule.reason),
  };
}

/** All conditions on one argument, in one list; the same condition written twice is one. */
function uniteConditions(conditions: readonly ArgumentCondition[]): ArgumentRule[] {
  const byArgument = new Map<string, Map<string, ArgumentRule["conditions"][number]>>();
  for (const { argument, condition } of conditions) {
    const known = byArgument.get(argument) ?? new Map();
    known.set(canonicalText(condition as unknown as JsonValue), condition);
    byArgument.set(argument, known);
  }
  return [...byArgument]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([argument, known]) => ({
      argument,
      conditions: [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, condition]) => condition),
    }));
}
