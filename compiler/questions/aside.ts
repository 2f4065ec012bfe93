import type { RoleName } from "../base/names.ts";
import type { OwnTools } from "../4-fit/types.ts";
import { newNames } from "../diff/renamings.ts";
import type { AccessDifference } from "../diff/types.ts";
import type { Plan } from "../3-plan/types.ts";
import { createCombiner, newCombinations, type Combination } from "./combinations.ts";
import { createScales } from "./weight.ts";

/** What a change of access brings besides who may do what. It judges nothing, and no approval is of it. */
export interface DifferenceAside {
  /** Of roles whose tools are others now: about how many tokens their definitions cost. */
  readonly tokens: readonly { readonly role: RoleName; readonly before: number; readonly after: number }[];
  /** Tools that are dangerous together and weren't, or not without a person. */
  readonly combinations: readonly { readonly role: RoleName; readonly combination: Combination }[];
}

export const NOTHING_ASIDE: DifferenceAside = { tokens: [], combinations: [] };

/** `before` undefined: there is no plan of it, and nothing is known. A role that has another name is the one that it was. */
export function asideOf(
  { changes, renamed }: Pick<AccessDifference, "changes" | "renamed">,
  before: Plan | undefined,
  after: Plan,
  ownTools: ReadonlyMap<string, OwnTools>,
): DifferenceAside {
  const changed = new Set(changes.flatMap(({ role }) => role ?? []));
  if (before === undefined || changed.size === 0) return NOTHING_ASIDE;
  const names = newNames(renamed, "role");
  const was = new Map(before.roles.map((role) => [names.get(role.name) ?? role.name, role]));
  const [weighBefore, weighAfter] = [createScales(), createScales()];
  const [combineBefore, combineAfter] = [createCombiner(before, ownTools), createCombiner(after, ownTools)];
  const tokens = after.roles.flatMap((role) => {
    if (!changed.has(role.name)) return [];
    const old = was.get(role.name);
    const [had, has] = [old === undefined ? 0 : weighBefore(old).held.tokens, weighAfter(role).held.tokens];
    return had === has ? [] : [{ role: role.name, before: had, after: has }];
  });
  const gone = before.roles.filter(({ name }) => !names.has(name) && !after.roles.some((role) => role.name === name));
  const weightGone = gone.map((role) => ({ role: role.name, before: weighBefore(role).held.tokens, after: 0 }));
  const combinations = after.roles.flatMap((role) => {
    if (!changed.has(role.name) && !role.reaches.some((name) => changed.has(name))) return [];
    const old = was.get(role.name);
    const found = newCombinations(old === undefined ? undefined : combineBefore(old), combineAfter(role));
    return found.map((combination) => ({ role: role.name, combination }));
  });
  return { tokens: [...tokens, ...weightGone.filter((one) => one.before > 0)], combinations };
}
