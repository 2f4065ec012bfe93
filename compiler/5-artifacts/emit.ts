import type { Plan } from "../3-plan/types.ts";
import { isHost } from "../4-fit/fit.ts";
import type { FittedPlan, Host } from "../4-fit/types.ts";
import type { Target } from "./target.ts";
import type { Artifact } from "./types.ts";

/** Every file of every target and chosen host, one after the other; nothing is made before it is asked for. */
export function* emit(
  plan: Plan,
  hosts: readonly FittedPlan[],
  targets: readonly (Target | Host)[],
): Generator<Artifact> {
  for (const target of targets) if (!isHost(target)) yield* target.emit(plan, hosts);
  for (const fitted of hosts) yield* fitted.host.emit(fitted);
}
