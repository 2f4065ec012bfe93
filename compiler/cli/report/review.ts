import type { Plan, PlannedRole } from "../../3-plan/types.ts";
import type { RoleCombinations } from "../../questions/combinations.ts";
import { createScales, type RoleWeight } from "../../questions/weight.ts";
import { combinerOf } from "../combinations.ts";

/** What a reviewer asks of a role besides how much it holds: what it weighs, and what is dangerous together in it. */
export interface Review {
  readonly plan: Plan;
  readonly weighed: ReadonlyMap<PlannedRole, RoleWeight>;
  readonly combined: ReadonlyMap<PlannedRole, RoleCombinations>;
}

export function reviewOf(plan: Plan): Review {
  const [weigh, combine] = [createScales(), combinerOf(plan)];
  return {
    plan,
    weighed: new Map(plan.roles.map((role) => [role, weigh(role)])),
    combined: new Map(plan.roles.map((role) => [role, combine(role)])),
  };
}
