import { sortedBy } from "../../base/order.ts";
import type { FittedPlan, FittedRole } from "./types.ts";

/** The role and every role that its work can get to: what one session of it has to bring. */
export function reachable(role: FittedRole, { roles }: FittedPlan): FittedRole[] {
  const reached = new Set([role.name, ...role.role.reaches]);
  return sortedBy(
    roles.filter(({ name }) => reached.has(name)),
    ({ name }) => name,
  );
}
