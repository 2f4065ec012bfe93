import { writingIn, type Writing } from "../../base/flow-yaml.ts";
import type { ServerName } from "../../base/names.ts";
import type { Place } from "../../base/place.ts";
import type { CaseOf, Report, SelectorAdvice } from "../../diagnostics/report.ts";
import { matchTools, namesMatching, type SelectableServer } from "./match.ts";
import { markOf, namesLeft, negatedIn, oppositeOf, partNegated } from "./negated.ts";
import { classMeant, divideSelector, parseSelector, type SelectorForm } from "./parse.ts";
import { respell } from "./respell.ts";
import type { RestrictionItem } from "./restriction.ts";

/** A list of selectors: what is written in it, and what it is about. */
export interface SelectorList {
  readonly texts: readonly string[];
  /** The one server that the list stands under. Undefined in a rule: there each selector says which servers it means. */
  readonly under: SelectableServer | undefined;
  /** All that can be meant: the one that it stands under, or every server of the project. */
  readonly servers: readonly SelectableServer[];
}

type WrittenAt = Pick<RestrictionItem, "written" | "place">;

/** What to write for a selector that finds nothing. */
export function selectorAdvice(item: WrittenAt, list: SelectorList, restricts: boolean): SelectorAdvice {
  return likelyMeant(item, list, restricts) ?? UNCLEAR;
}

export const UNCLEAR: SelectorAdvice = { case: "unclear" };

function likelyMeant(
  { written, place }: WrittenAt,
  list: SelectorList,
  restricts: boolean,
): SelectorAdvice | undefined {
  const writing = writingIn(place.file);
  const finds = (selector: string): number => namesFound(selector, list).length;
  const { server, tools } = divideSelector(written, formOf(list)) ?? { server: undefined, tools: written };
  const before = server === undefined ? "" : `${server}.`;
  const meant = classMeant(tools);
  if (meant !== undefined) return { case: "respelt", spelling: writing.value(before + meant) };
  if (list.under !== undefined)
    return (
      wordAdvice(written, restricts, writing) ??
      kindAdvice(written, list.under, writing) ??
      respell(written, { finds, restricts, server: list.under.name, writing })
    );
  if (/^(?:all|any)$/i.test(tools)) return { case: "respelt", spelling: `"${before}*"` };
  const once = before + withServerOnce(tools);
  if (once !== before + tools && finds(once) > 0) return { case: "server-twice", spelling: writing.value(once) };
  const isKnown =
    server !== undefined &&
    namesMatching(
      server,
      list.servers.map(({ name }) => name),
    ).length > 0;
  const ofTools = isKnown
    ? respell(tools, { finds: (text) => finds(before + text), restricts: true, before, writing })
    : undefined;
  const isOneName = server !== undefined && /^[\w*?-]+$/.test(server) && !/[\s,|]/.test(written);
  return ofTools ?? (isOneName ? undefined : respell(written, { finds, restricts: true, writing }));
}

/** `label:danger & github.merge_*` behind a server: it is written once, before all parts. */
function withServerOnce(tools: string): string {
  return tools.replace(/(\s&\s+)[\w*?-]+\./g, "$1");
}

function formOf({ under }: SelectorList): SelectorForm {
  return under === undefined ? "server.tool" : "tool";
}

/** Names of tools that a selector finds, in a rule after their server; none for one that means nothing. */
function namesFound(written: string, list: SelectorList): string[] {
  const selector = parseSelector(written, formOf(list));
  if (selector === undefined || selector.meaningless.length > 0) return [];
  const { server } = selector;
  const servers =
    server === undefined ? list.servers : list.servers.filter(({ name }) => namesMatching(server, [name]).length > 0);
  const found = matchTools(selector, servers);
  return servers.flatMap(({ name, set }) =>
    (found.get(name as ServerName) ?? []).map((index) => (list.under ? "" : `${name}.`) + set.tools[index]!.name),
  );
}

/** Words of the language in a place of names. */
function wordAdvice(written: string, restricts: boolean, writing: Writing): SelectorAdvice | undefined {
  if (/^(?:all|any|every|everything)$/i.test(written)) return { case: "any-tool" };
  if (!/^(?:none|nothing)$/i.test(written)) return undefined;
  return restricts ? { case: "nothing" } : { case: "no-entry", spelling: writing.value("none") };
}

/** The name of a scope or a label of that server. */
function kindAdvice(written: string, server: SelectableServer, writing: Writing): SelectorAdvice | undefined {
  const respelt = (selector: string): SelectorAdvice => ({ case: "respelt", spelling: writing.value(selector) });
  if (server.labels.includes(written)) return respelt(`label:${written}`);
  return server.set.scopes.some((scope) => scope.name === written) ? respelt(`scope:${written}`) : undefined;
}

/** For what isn't of the form `server.tool`: everything, a server alone, a tool that only one server has, or both joined as some hosts join them. */
export function formAdvice(written: string, servers: readonly SelectableServer[]): string | undefined {
  if (/^(?:all|any|\*)$/i.test(written)) return "*.*";
  const meant = classMeant(written);
  if (meant !== undefined) return meant;
  if (servers.some(({ name }) => name === written)) return `${written}.*`;
  const having = servers.filter(({ set }) => set.byName.has(written));
  if (having.length === 1) return `${having[0]!.name}.${written}`;
  const plain = written.replace(/^mcp_{1,2}(?=\w)/, "");
  const joined = servers.find(({ name }) => plain.startsWith(name) && /^[_/:-]+./.test(plain.slice(name.length)));
  return joined && `${joined.name}.${plain.slice(joined.name.length).replace(/^[_/:-]+/, "")}`;
}

/** Whether an item is a negation and no name of a tool; what to write for it is said with the whole list before one's eyes. */
export function sayNegated(item: WrittenAt, list: SelectorList, report: Report): boolean {
  const { written, place } = item;
  if (negatedIn(markInFront(written, list)) === undefined || list.under?.unreadable) return false;
  if (namesFound(written, list).length > 0) return false;
  report.add("source/negated", place, { written, ...negationHelp(item, list) });
  return true;
}

/** In a rule `github.!merge_*` is `!github.merge_*`. */
function markInFront(written: string, { under }: SelectorList): string {
  return under === undefined ? written.replace(/^([\w*?-]+\.)(?:!\s*|-(?=\w))(?=.)/s, "!$1") : written;
}

type NegationHelp = CaseOf<"source/negated", "written">;

function negationHelp({ written, place }: WrittenAt, list: SelectorList): NegationHelp {
  const { value } = writingIn(place.file);
  // Beside others the item is meant to take away from them.
  const isAlone = list.texts.length === 1 || negatedIn(markInFront(written, list))?.keeps !== undefined;
  const opposite = isAlone ? oppositeOf(written) : undefined;
  if (opposite !== undefined) return { case: "left", list: value(list.texts.length === 1 ? [opposite] : opposite) };
  const { kept, dropped } = partNegated(list.texts.map((text) => markInFront(text, list)));
  const excluding = list.under && excludeInstead(place, kept, dropped);
  if (excluding !== undefined) return excluding;
  const find = (text: string) => namesFound(text, list);
  const left = dropped.some((text) => find(text).length > 0) ? namesLeft(kept, dropped, find) : undefined;
  return left ? { case: "left", list: value(left) } : { case: "tools", mark: markOf(written) };
}

/** Where the list has an `exclude` beside it, or can have one. */
function excludeInstead(place: Place, kept: readonly string[], dropped: readonly string[]): NegationHelp | undefined {
  const { value, entry } = writingIn(place.file);
  const key = listKey(place);
  if (key === "include")
    return kept.length === 0
      ? { case: "exclude", list: value(dropped) }
      : { case: "beside", exclude: entry("exclude", dropped), include: entry("include", kept) };
  if (key !== "tools" && !isEntry(place)) return undefined;
  const exclude = { exclude: dropped };
  return { case: "instead", list: value(kept.length === 0 ? exclude : { include: kept, ...exclude }) };
}

/** The key that a list stands under; its items may be maps with `optional` or `absent`. */
function listKey(place: Place): string | number | undefined {
  return place.path.findLast((step, i) => i < place.path.length - 1 && typeof step === "string");
}

/** The list is all that a role says of a server. */
function isEntry({ path }: Place): boolean {
  return path[0] === "roles" && path[2] === "tools" && path.length === 5;
}
