import type { ComparedAccess } from "../../diff/compare.ts";
import type { AccessChanged } from "../../diff/types.ts";
import { asideOf, type DifferenceAside } from "../../questions/aside.ts";
import type { Plan } from "../../3-plan/types.ts";
import { ownToolsOfHosts } from "../combinations.ts";

interface AsideBase {
  readonly access: ComparedAccess;
  readonly plan: Plan | undefined;
}

/** A base without roles is known, plan or not: nothing was held. */
export function asideSince({ access, plan }: AsideBase, now: Plan, changes: readonly AccessChanged[]): DifferenceAside {
  const before = plan ?? (access.roles.length === 0 ? { ...now, roles: [] } : undefined);
  return asideOf(changes, before, now, ownToolsOfHosts());
}
