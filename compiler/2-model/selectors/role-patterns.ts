import { writingIn } from "../../base/flow-yaml.ts";
import { isGlob } from "../../base/glob.ts";
import type { RoleName } from "../../base/names.ts";
import { nearestGlob } from "../../base/nearest.ts";
import { sorted } from "../../base/order.ts";
import type { Place } from "../../base/place.ts";
import type { Report, SelectorAdvice } from "../../diagnostics/report.ts";
import type { Restriction } from "../../../schemas/types.ts";
import { excused, type KnownNames } from "../names.ts";
import { UNCLEAR } from "./advice.ts";
import { namesMatching } from "./match.ts";
import { markOf, namesLeft, negatedIn, partNegated } from "./negated.ts";
import { respell } from "./respell.ts";
import { restrictionItems, type RestrictionItem } from "./restriction.ts";

/** Roles that the patterns of a rule name, themselves only, sorted. */
export function selectRoles(
  list: readonly Restriction[],
  owner: string,
  place: Place,
  { known, report }: { readonly known: KnownNames; readonly report: Report },
): RoleName[] {
  const roles = [...known.roles];
  const found = new Set<string>();
  const items = restrictionItems(list, place);
  const texts = items.map((item) => item.written);
  for (const item of items) {
    if (sayNegatedRole(item, texts, roles, report)) continue;
    const matched = namesMatching(item.written, roles);
    if (item.presence === "must-not" && matched.length > 0)
      report.add("role/not-absent", item.place, { written: item.written, role: matched[0]! });
    // Of an exact role that may be missing nobody could tell a slip; patterns may find none.
    const mustBeThere = item.presence === "must" || (item.presence === "may" && !isGlob(item.written));
    if (mustBeThere && matched.length === 0 && item.written !== "*" && !excused("roles", item.written, known))
      sayNoRole(item, owner, roles, report);
    for (const role of matched) found.add(role);
  }
  return sorted(found) as RoleName[];
}

function sayNegatedRole(
  { written, place }: RestrictionItem,
  texts: readonly string[],
  roles: readonly string[],
  report: Report,
): boolean {
  if (negatedIn(written) === undefined) return false;
  const { kept, dropped } = partNegated(texts);
  const left = namesLeft(kept, dropped, (text) => namesMatching(text, roles));
  if (left) report.add("source/negated", place, { written, case: "left", list: writingIn(place.file).value(left) });
  else report.add("source/negated", place, { written, case: "roles", mark: markOf(written) });
  return true;
}

function sayNoRole(item: RestrictionItem, owner: string, roles: readonly string[], report: Report): void {
  const { written, place } = item;
  const near = written === "all" ? "*" : nearestGlob(written, roles);
  const advice = roleAdvice(item, roles);
  if (isGlob(written)) report.add("role/matches-nothing", place, { written, ...advice, nearest: near });
  else report.add("role/unknown", place, { owner, role: written, ...advice, nearest: near });
}

function roleAdvice({ written, place }: RestrictionItem, roles: readonly string[]): SelectorAdvice {
  const writing = writingIn(place.file);
  if (/^(?:all|any|every|everyone|everybody)$/i.test(written)) return { case: "respelt", spelling: '"*"' };
  return respell(written, { finds: (text) => namesMatching(text, roles).length, restricts: true, writing }) ?? UNCLEAR;
}
