import { bounded, visible } from "../../base/visible.ts";
import type { DifferenceSummary } from "../../diff/summary.ts";
import type { ChangedDefinition, ChangedText } from "../../diff/told.ts";
import type { Direction } from "../../diff/types.ts";
import { shownCommon, shownGroup, type ShownChange } from "./group-words.ts";
import { headline } from "./headline-words.ts";
import type { Quote } from "./piece-words.ts";
import { signWords, textName } from "./text-words.ts";
import {
  atWords,
  changeWords,
  firstOf,
  nameList,
  partWords,
  SIGNS,
  whereLines,
  type ShownDifference,
  type SourceLines,
} from "./words.ts";

/** What both pages of a difference consist of: each part once, in one order. */

const VERDICTS: Readonly<Record<Direction, string>> = { widens: "WIDENS", changed: "CHANGED", narrows: "NARROWS" };

export function verdictLine({ difference }: ShownDifference, summary: DifferenceSummary, quote: Quote): string {
  const { direction, isSuspicious, says } = headline(difference, summary, quote);
  if (direction === undefined) return `access: ${says}`;
  return `access ${VERDICTS[direction]}${isSuspicious ? ", SUSPICIOUS" : ""}: ${says}`;
}

export const LEGEND = "+ more access, - less, ~ same access to what changed, a yes: a person approves";

/** SourceLines access is the same: what was compared. */
export function sameWords({ base, sourcesChanged, compared }: ShownDifference, quote: Quote): string {
  const against = `compared with ${quote(base)}`;
  if (sourcesChanged.length === 0) return against;
  const some = sourcesChanged.slice(0, 3).map(quote).join(", ");
  const more = sourcesChanged.length > 3 ? ` and ${sourcesChanged.length - 3} more` : "";
  const s = (count: number): string => (count === 1 ? "" : "s");
  return `files changed (${some}${more}), access is the same: ${compared.roles} role${s(compared.roles)} and ${compared.servers} server${s(compared.servers)} ${against}`;
}

export interface ShownSection {
  readonly title: string;
  /** It is of this role. */
  readonly role: string | undefined;
  readonly changes: readonly ShownChange[];
  readonly more: readonly string[];
}

export function commonSection(shown: ShownDifference, { common }: DifferenceSummary): ShownSection[] {
  const told = common.filter(({ described: one }) => one.change.kind !== "instructions" || one.parts().length === 0);
  const first = firstOf(told, "changes");
  const changes = first.shown.map((one) => shownCommon(one, shown));
  return sectionOf({ title: "servers and rules", role: undefined, changes, more: first.more });
}

export function roleSections(shown: ShownDifference, { roles }: DifferenceSummary): ShownSection[] {
  const some = firstOf(roles, "roles");
  const sections = some.shown.flatMap(({ role, groups }) => {
    const first = firstOf(groups, "changes");
    const changes = first.shown.map((one) => shownGroup(one, shown));
    return sectionOf({ title: "role", role, changes, more: first.more });
  });
  return [...sections, ...sectionOf({ title: "roles", role: undefined, changes: [], more: some.more })];
}

/** SourceLines nothing but texts changed, the texts are told. */
export function definitionsSection(shown: ShownDifference, { definitions }: DifferenceSummary): ShownSection[] {
  const told = definitions.filter(([one]) => {
    const parts = one!.first.parts();
    return parts.length === 0 || parts.some(({ part }) => part !== "text");
  });
  const some = firstOf(told, "ways in which tools changed");
  const changes = some.shown.map((one) => shownDefinitions(one, shown));
  return sectionOf({ title: "tools that changed", role: undefined, changes, more: some.more });
}

/** `alike`: in their words. */
export function shownDefinitions(alike: readonly ChangedDefinition[], where: SourceLines): ShownChange {
  const { first, roles } = alike[0]!;
  const parts = first.parts().filter(({ part }) => part !== "text");
  const [{ change }, tools] = [first, alike.map((one) => one.first.change.tool!)];
  const isOne = alike.length === 1;
  const head = isOne
    ? changeWords({ ...first, parts: () => parts })
    : `${visible(change.server!)}: each of ${tools.length} tools ${partWords(parts, change)}`;
  return {
    head: `${SIGNS[change.direction]} ${head}`,
    below: [
      ...(isOne ? [] : [nameList(tools)]),
      ...parts.map(({ says }) => bounded(visible(says))),
      ...placesLine(alike.flatMap((one) => whereLines(one.first, where))),
      `held by ${nameList(roles)}`,
    ],
  };
}

/** Of several in one file its name once, and the lines. */
function placesLine(places: readonly string[]): string[] {
  const [first, ...others] = new Set(places);
  if (first === undefined) return [];
  const file = first.slice(0, first.lastIndexOf(":") + 1);
  const lines = others.map((one) => (one.startsWith(file) ? one.slice(file.length) : one));
  const more = lines.length - MOST_PLACES;
  return [[first, ...lines.slice(0, MOST_PLACES)].join(", ") + (more > 0 ? ` and ${more} more` : "")];
}

const MOST_PLACES = 20;

/** `below`: the text itself, or where it is to be read. */
export function textsSection(
  { texts }: DifferenceSummary,
  where: ShownDifference,
  below: (text: ChangedText) => readonly string[],
): ShownSection[] {
  const some = firstOf(texts, "texts");
  const changes = some.shown.map((one) => ({
    head: `~ ${textName(one)}`,
    below: [
      ...signWords(one.signs),
      ...below(one),
      ...(one.at === undefined ? [] : [atWords(one.at, where)]),
      `read by ${nameList(one.roles)}`,
    ],
  }));
  return sectionOf({
    title: "READ THIS: texts that steer your agents changed",
    role: undefined,
    changes,
    more: some.more,
  });
}

function sectionOf(section: ShownSection): ShownSection[] {
  return section.changes.length + section.more.length === 0 ? [] : [section];
}
