import type { AccessDifference } from "../../diff/types.ts";
import { asideOf, type DifferenceAside } from "../../questions/aside.ts";
import type { Plan } from "../../3-plan/types.ts";
import { ownToolsOfHosts } from "../combinations.ts";

export function asideSince(before: Plan | undefined, now: Plan, difference: AccessDifference): DifferenceAside {
  return asideOf(difference, before, now, ownToolsOfHosts());
}
