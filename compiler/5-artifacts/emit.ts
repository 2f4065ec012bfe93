import type { FittedPlan } from "../4-fit/types.ts";
import type { Plan } from "../3-plan/types.ts";
import { isHost, type Host, type Target } from "./target.ts";
import type { Artifact } from "./types.ts";

/** Every file of every target and chosen host, one after the other; nothing is made before it is asked for. */
export function* emit(
  plan: Plan,
  fitted: readonly FittedPlan<Host>[],
  targets: readonly (Target | Host)[],
): Generator<Artifact> {
  for (const target of targets) if (!isHost(target)) yield* target.emit(plan, fitted);
  for (const one of fitted) yield* one.host.emit(one);
}
