import type { AccessChanged } from "../../diff/types.ts";
import { asideOf, type DifferenceAside } from "../../questions/aside.ts";
import type { Plan } from "../../3-plan/types.ts";
import { ownToolsOfHosts } from "../combinations.ts";

export function asideSince(before: Plan | undefined, now: Plan, changes: readonly AccessChanged[]): DifferenceAside {
  return asideOf(changes, before, now, ownToolsOfHosts());
}
