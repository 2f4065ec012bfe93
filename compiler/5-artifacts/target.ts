import type { Plan } from "../3-plan/types.ts";
import type { FittedPlan, HostFacts } from "../4-fit/types.ts";
import type { Artifact, LeftPlace } from "./types.ts";

/** Anything that makes files from the plan. Pure and total: what could go wrong was found before. */
export interface Target {
  readonly id: string;
  readonly title: string;
  /** `hosts`: what each chosen host gets of the plan. */
  emit(plan: Plan, hosts: readonly FittedPlan[]): Iterable<Artifact>;
  /** What is about all the others: their paths. */
  emitLast?(plan: Plan, paths: readonly string[]): Iterable<Artifact>;
}

/** A target for one host: it writes down what the host gets, in the host's own form, and decides nothing. */
export interface Host<Told = unknown> extends HostFacts<Told> {
  /** Where it looks for what is made for roles, so that what is left of one that is gone is found. Left out: below `out` and the folder of sources alone. */
  leftPlaces?(fitted: FittedPlan): readonly LeftPlace[];
  /** It is handed what its own `tell` said. */
  emit(fitted: FittedPlan<HostFacts, Told>): Iterable<Artifact>;
}

export function isHost(target: Target | Host): target is Host {
  return "abilities" in target;
}
