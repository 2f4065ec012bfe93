import type { Plan } from "../3-plan/types.ts";
import type { FittedPlan } from "../4-fit/types.ts";
import type { Artifact } from "./types.ts";

/** Anything that makes files from the plan. Pure and total: what could go wrong was found before. */
export interface Target {
  readonly id: string;
  readonly title: string;
  /** `hosts`: what each chosen host gets of the plan. */
  emit(plan: Plan, hosts: readonly FittedPlan[]): Iterable<Artifact>;
}
