import { sortedBy } from "../base/order.ts";
import type { FittedPlan, FittedRole, HostFacts } from "./types.ts";

/** The role and every role that its work can get to: what one session of it has to bring. */
export function reachable<Told>(role: FittedRole<Told>, { roles }: FittedPlan<HostFacts, Told>): FittedRole<Told>[] {
  const reached = new Set([role]);
  for (const { delegates } of reached) for (const one of roles) if (delegates.includes(one.name)) reached.add(one);
  return sortedBy(reached, ({ name }) => name);
}
