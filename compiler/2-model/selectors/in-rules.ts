import { isGlob } from "../../base/glob.ts";
import { firstOf } from "../../base/list-words.ts";
import { nearest, nearestGlob } from "../../base/nearest.ts";
import type { Place } from "../../base/place.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Restriction } from "../../../schemas/types.ts";
import { excused, type KnownNames } from "../names.ts";
import { matchByAny, matchByEach, type GuardedServer } from "../guard-views.ts";
import type { RuleSelection } from "../types.ts";
import { selectorAdvice, type SelectorList } from "./advice.ts";
import { findsTooLittle, unknownParts } from "./judge.ts";
import { matchPart, matchTools, namesMatching } from "./match.ts";
import { exactName, type Selector, type SelectorPart } from "./parse.ts";
import { readSelector } from "./read.ts";
import { restrictionItems, type RestrictionItem } from "./restriction.ts";
import { isServerMeant, titledSelectors, titledSo } from "./titled.ts";

/** What policies and invariants name: tools over all servers. */
export interface RuleScope {
  /** Set for rules of a preset: there its id stands for every server that uses it. */
  readonly preset?: { readonly id: string; readonly servers: readonly string[] };
  readonly servers: ReadonlyMap<string, GuardedServer>;
  readonly guard: boolean;
  /** Whose words classes, scopes and labels go by. */
  readonly by: keyof typeof MATCHING;
  readonly known: KnownNames;
  readonly report: Report;
}

const MATCHING = { project: matchPart, any: matchByAny, each: matchByEach } as const;

/** Selectors of a rule, all of which restrict. `owner` is the rule, as a subject of sentences. */
export function selectInRule(
  written: readonly Restriction[],
  owner: string,
  place: Place,
  context: RuleScope,
): RuleSelection[] {
  return selectItems(restrictionItems(written, place), owner, context);
}

export function selectItems(all: readonly RestrictionItem[], owner: string, context: RuleScope): RuleSelection[] {
  const servers = [...context.servers.values()];
  const items = all.flatMap((item) => withTitled(item, servers));
  const list: SelectorList = { texts: items.map((item) => item.written), under: undefined, servers };
  return items.flatMap((item) => {
    const selector = readSelector(item, list, context.report);
    const meant = selector && serversMeant(selector, item, owner, list, context);
    if (meant === undefined) return [];
    const tools = matchTools(selector!, meant, MATCHING[context.by]);
    judge({ item, selector: selector!, servers: meant, tools, owner, list }, context);
    const exact = selector!.server !== undefined && exactName(selector!) !== undefined;
    return [{ written: item.written, place: item.place, exact, tools }];
  });
}

function serversMeant(
  { server }: Selector,
  item: RestrictionItem,
  owner: string,
  list: SelectorList,
  { servers, known, preset, report }: RuleScope,
): readonly GuardedServer[] | undefined {
  const all = [...servers.values()];
  if (server === undefined) return all;
  const names = all.map(({ name }) => name);
  const meant = new Set(
    server === preset?.id
      ? preset.servers
      : [...namesMatching(server, names), ...(isForeign(item) && isGlob(server) ? titledSo(server, all) : [])],
  );
  // A preset may be used by nobody, and a pattern find no server where that is fine; a name that isn't declared is a slip wherever it stands.
  if (meant.size > 0 || server === preset?.id || (item.presence !== "must" && isGlob(server)))
    return all.filter(({ name }) => meant.has(name));
  const advice = selectorAdvice(item, list, true);
  if (!excused("servers", server, known))
    report.add("server/unknown", item.place, { owner, server, ...advice, nearest: nearest(server, names) });
  return undefined;
}

function isForeign({ place }: RestrictionItem): boolean {
  return place.origins !== undefined;
}

/** What a line of another system's file says of servers by their names there, where the file doesn't declare them itself. */
function withTitled(item: RestrictionItem, all: readonly GuardedServer[]): readonly RestrictionItem[] {
  if (!isForeign(item)) return [item];
  const server = item.written.slice(0, Math.max(item.written.indexOf("."), 0));
  const titled = titledSelectors(item.written, all);
  const declares = () => item.place.origins!.some(([made]) => made[0] === "servers" && made[1] === server);
  if (titled.length === 0 || declares()) return [item];
  // One of several may lack the tool; of one alone a slip is told.
  if (!isServerMeant(server, all)) return titled.map((written) => ({ ...item, written }));
  return [item, ...titled.map((written): RestrictionItem => ({ ...item, written, presence: "may" }))];
}

/** A selector of a rule, with what it finds. */
interface FoundInRule {
  readonly item: RestrictionItem;
  readonly selector: Selector;
  /** Those that it is about. */
  readonly servers: readonly GuardedServer[];
  readonly tools: RuleSelection["tools"];
  readonly owner: string;
  readonly list: SelectorList;
}

function judge(found: FoundInRule, { report, known, guard, by }: RuleScope): void {
  const { item, selector, servers, tools, owner } = found;
  if (guard) sayOwnWords(found, report);
  const [first] = tools;
  if (item.presence === "must-not" && first) {
    const [server, indexes] = first;
    const tool = servers.find(({ name }) => name === server)!.set.tools[indexes[0]!]!.name;
    return report.add("policy/not-absent", item.place, { written: item.written, tool: `${server}.${tool}` });
  }
  if (servers.some(({ unreadable }) => unreadable) || known.broken.size > 0) return;
  const unpinned = servers.filter(({ pinned }) => !pinned);
  for (const server of unpinned)
    if (!server.off) report.add("policy/unpinned", item.place, { owner, server: server.name });
  // Whether a server without a manifest has the tool nobody knows; that no other has it can still be a slip.
  if (unpinned.length > 0 && unpinned.length === servers.length) return;
  // A tool may be missing where that is said to be fine; a label or scope that nobody declares is a slip.
  const slip = unknownParts(selector, servers).find(({ kind }) => isSlip(kind, item.presence));
  if (slip !== undefined) return sayUnknownWord(slip, found, report);
  if (item.presence === "must" && findsTooLittle(selector, servers, tools, MATCHING[by]))
    sayFindsTooLittle(found, report);
}

/** Which tools are meant by a word that the project alone declares, a change of the project decides. */
function sayOwnWords({ item, selector, servers, owner }: FoundInRule, report: Report): void {
  for (const part of selector.parts) {
    if (part.kind !== "scope" && part.kind !== "label") continue;
    const word = `${part.kind}:${part.name}`;
    const names = servers.filter(({ ownWords }) => ownWords.has(word)).map(({ name }) => `\`${name}\``);
    if (names.length > 0)
      report.add("policy/guard-by-project-words", item.place, { owner, word, servers: firstOf(names) });
  }
}

/** A scope that must find something is told with what is near. */
function isSlip(kind: SelectorPart["kind"], presence: RestrictionItem["presence"]): boolean {
  return kind === "label" || (kind === "scope" && presence !== "must");
}

function sayUnknownWord(part: SelectorPart, { item, servers }: FoundInRule, report: Report): void {
  if (part.kind !== "label" && part.kind !== "scope") return;
  const server = servers.length === 1 ? `server \`${servers[0]!.name}\`` : "any server that is meant";
  if (part.kind === "label") {
    const labels = servers.flatMap((one) => one.labels);
    return report.add("server/unknown-label", item.place, {
      label: part.name,
      server,
      nearest: nearest(part.name, labels),
    });
  }
  const scopes = servers.flatMap(({ set }) => set.scopes.map(({ name }) => name));
  const about = { scope: part.name, server: servers.length === 1 ? server : "every server that is meant" };
  report.add("server/unknown-scope", item.place, { ...about, nearest: nearest(part.name, scopes), case: "declare" });
}

function sayFindsTooLittle({ item, selector, servers, list }: FoundInRule, report: Report): void {
  const { written, place } = item;
  const { server: about, parts } = selector;
  const [part] = parts;
  const names = servers.flatMap((server) => [...server.set.byName.keys()]);
  const wanted =
    part?.kind === "name"
      ? nearest(part.name, names)
      : part?.kind === "glob"
        ? nearestGlob(part.glob, names)
        : undefined;
  // The other parts and the server stay as they are written.
  const meant = about && wanted && [`${about}.${wanted}`, ...written.split(" & ").slice(1)].join(" & ");
  const advice = selectorAdvice(item, list, true);
  if (about === undefined || isGlob(about) || servers.length !== 1)
    return report.add("policy/matches-nothing", place, { written, ...advice, nearest: meant });
  const server = servers[0]!.name;
  if (parts.length === 1 && part?.kind === "name")
    report.add("manifest/unknown-tool", place, { tool: part.name, server, ...advice, nearest: wanted });
  else report.add("manifest/matches-nothing", place, { written, server, ...advice, nearest: meant });
}
