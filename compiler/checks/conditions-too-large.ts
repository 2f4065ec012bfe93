import { madeOnce } from "../base/made-once.ts";
import { held } from "../3-plan/held.ts";
import type { Decision, Grant, Plan } from "../3-plan/types.ts";
import type { ArgumentCondition } from "../2-model/types.ts";
import type { Check } from "./types.ts";

/** In characters, each condition counted for every role and tool that it holds for: three outputs write them all out. */
const MOST = 8_000_000;

/** A few lines of rules for every role and tool can multiply into gigabytes that nobody reads. */
export const checkConditionsTooLarge: Check = ({ plan }, report) => {
  const lengths = writtenLengths(plan);
  const total = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  if (total <= MOST) return;
  const [longest, length] = [...lengths].reduce((one, other) => (other[1] > one[1] ? other : one));
  report.add("role/conditions-too-large", longest.place, {
    total: inMillions(total),
    length: inMillions(length),
    most: inMillions(MOST),
  });
};

function writtenLengths({ roles }: Plan): Map<ArgumentCondition, number> {
  const lengths = new Map<ArgumentCondition, number>();
  const lengthOf = madeOnce(({ condition }: ArgumentCondition) => JSON.stringify(condition).length);
  for (const [{ because }, tools] of roles.flatMap(({ grants }) => grants.flatMap(restricted))) {
    for (const condition of because.flatMap(({ conditions }) => conditions ?? []))
      lengths.set(condition, (lengths.get(condition) ?? 0) + lengthOf(condition) * tools);
  }
  return lengths;
}

/** Decisions with conditions, and how many tools share each. */
function restricted(grant: Grant): [Decision, number][] {
  const tools = new Map<Decision, number>();
  for (const [, decision] of held(grant))
    if (decision.where.length > 0) tools.set(decision, (tools.get(decision) ?? 0) + 1);
  return [...tools];
}

function inMillions(characters: number): string {
  return (characters / 1_000_000).toFixed(1).replace(/\.0$/, "");
}
