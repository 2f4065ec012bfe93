import type { Plan } from "../3-plan/types.ts";
import type { Artifact, Target } from "./types.ts";

/** Every file of every target, one after the other; nothing is made before it is asked for. */
export function* emit(plan: Plan, targets: readonly Target[]): Generator<Artifact> {
  for (const target of targets) yield* target.emit(plan);
}
