import { globMatcher, isGlob } from "../base/glob.ts";
import { nearest, nearestGlob } from "../base/nearest.ts";
import type { RoleName, ServerName } from "../base/names.ts";
import type { Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Restriction } from "../../schemas/types.ts";
import { excused, type KnownNames } from "./names.ts";
import { restrictionItems, type RestrictionItem } from "./restriction.ts";
import { matchAll, matchPart, parsePart, strictSet, type SelectorPart } from "./selector.ts";
import { formAdvice, roleAdvice, sayNegatedRole, sayNegatedWide, wideAdvice } from "./wide-advice.ts";
import type { WideSelection } from "./types.ts";
import type { SelectedServer } from "./linking.ts";

/** What policies and invariants name: tools over all servers, and roles. */
export interface WideContext {
  /** Set for rules of a preset: there its id stands for every server that uses it. */
  readonly preset?: { readonly id: string; readonly servers: readonly string[] };
  readonly servers: ReadonlyMap<string, SelectedServer>;
  /** For a guard, or a preset's policy: `hints` of the project lift nothing there. */
  readonly strict: boolean;
  readonly known: KnownNames;
  readonly report: Report;
}

export function selectWide(
  list: readonly Restriction[],
  owner: string,
  place: Place,
  context: WideContext,
): WideSelection[] {
  const items = restrictionItems(list, place);
  const texts = items.map((item) => item.written);
  const servers = [...context.servers.values()];
  return items.flatMap((item) =>
    sayNegatedWide(item, texts, servers, context.report) ? [] : selectOne(item, owner, context),
  );
}

interface WideSelector {
  /** Undefined: every server. */
  readonly server: string | undefined;
  readonly parts: readonly SelectorPart[];
}

function selectOne(item: RestrictionItem, owner: string, context: WideContext): WideSelection[] {
  const selector = parseWide(item, context);
  if (!selector) return [];
  const servers = serversOf(selector, item, owner, context);
  if (!servers) return [];
  const tools = new Map<ServerName, readonly number[]>();
  for (const server of servers) {
    const matched = matchAll(selector.parts, context.strict ? strictSet(server.set) : server.set);
    if (matched.length > 0) tools.set(server.name as ServerName, matched);
  }
  judge(item, selector, servers, tools, owner, context);
  const exact =
    selector.server !== undefined &&
    !isGlob(selector.server) &&
    selector.parts.length === 1 &&
    selector.parts[0]!.kind === "name";
  return [{ written: item.written, place: item.place, exact, tools }];
}

/** The server part stands before the first dot and holds for all ` & ` parts; a class may stand without one. */
function parseWide(item: RestrictionItem, { report, servers }: WideContext): WideSelector | undefined {
  const dot = item.written.indexOf(".");
  const bare = /^(is|scope|label):/.test(item.written);
  if (!bare && dot <= 0) {
    report.add("policy/selector", item.place, {
      written: item.written,
      suggestion: formAdvice(item.written, [...servers.values()]),
    });
    return undefined;
  }
  const server = bare ? undefined : item.written.slice(0, dot);
  const rest = bare ? item.written : item.written.slice(dot + 1);
  const parts = rest.split(" & ").map((text) => parsePart(text, item.place, report));
  return parts.every((part) => part !== undefined) ? { server, parts } : undefined;
}

function serversOf(
  { server }: WideSelector,
  item: RestrictionItem,
  owner: string,
  { servers, known, preset, report }: WideContext,
): SelectedServer[] | undefined {
  const all = [...servers.values()];
  if (server === undefined) return all;
  if (server === preset?.id) return all.filter((candidate) => preset.servers.includes(candidate.name));
  const matched = isGlob(server)
    ? all.filter((candidate) => globMatcher(server)(candidate.name))
    : all.filter((candidate) => candidate.name === server);
  // A pattern may find no server where that is fine; a name that isn't declared is a slip wherever it stands.
  if (matched.length > 0 || (item.presence !== "must" && isGlob(server))) return matched;
  const advice = wideAdvice(item, all);
  if (!excused("servers", server, known))
    report.add("server/unknown", item.place, { owner, server, advice, nearest: nearest(server, servers.keys()) });
  return undefined;
}

function judge(
  item: RestrictionItem,
  selector: WideSelector,
  servers: readonly SelectedServer[],
  tools: WideSelection["tools"],
  owner: string,
  { report, known }: WideContext,
): void {
  const { parts } = selector;
  const first = [...tools][0];
  if (item.presence === "must-not" && first) {
    const [server, indexes] = first;
    const tool = servers.find((s) => s.name === server)!.set.tools[indexes[0]!]!.name;
    return report.add("policy/not-absent", item.place, { written: item.written, tool: `${server}.${tool}` });
  }
  if (servers.some((s) => s.unreadable) || known.broken.size > 0) return;
  const unpinned = servers.filter((s) => !s.pinned);
  for (const server of unpinned) report.add("policy/unpinned", item.place, { owner, server: server.name });
  // Whether a server without a manifest has the tool nobody knows; that no other has it can still be a slip.
  if (unpinned.length > 0 && unpinned.length === servers.length) return;
  const label = parts.find((part) => part.kind === "label" && !servers.some((s) => s.labels.includes(part.name)));
  if (label?.kind === "label") return sayUnknownLabel(label.name, item, servers, report);
  if (item.presence !== "must") return;
  const classed = parts.some((part) => part.kind === "is");
  const lost = parts.some((part) => part.kind !== "is" && !servers.some((s) => matchPart(part, s.set).length > 0));
  if (lost || (tools.size === 0 && !classed)) sayNothing(item, selector, servers, report);
}

function sayUnknownLabel(
  label: string,
  item: RestrictionItem,
  servers: readonly SelectedServer[],
  report: Report,
): void {
  const server = servers.length === 1 ? `server \`${servers[0]!.name}\`` : "any server that is meant";
  report.add("server/unknown-label", item.place, {
    label,
    server,
    nearest: nearest(
      label,
      servers.flatMap((s) => s.labels),
    ),
  });
}

function sayNothing(
  item: RestrictionItem,
  { server: about, parts }: WideSelector,
  servers: readonly SelectedServer[],
  report: Report,
): void {
  const [part] = parts;
  const names = servers.flatMap((server) => [...server.set.byName.keys()]);
  const wanted =
    part?.kind === "name"
      ? nearest(part.name, names)
      : part?.kind === "glob"
        ? nearestGlob(part.glob, names)
        : undefined;
  // The other parts and the server stay as they are written.
  const meant = about && wanted && [`${about}.${wanted}`, ...item.written.split(" & ").slice(1)].join(" & ");
  const advice = wideAdvice(item, servers);
  if (about === undefined || isGlob(about) || servers.length !== 1)
    return report.add("policy/matches-nothing", item.place, { written: item.written, advice, nearest: meant });
  const server = servers[0]!.name;
  if (parts.length === 1 && part?.kind === "name")
    report.add("manifest/unknown-tool", item.place, { tool: part.name, server, advice, nearest: wanted });
  else
    report.add("manifest/matches-nothing", item.place, {
      written: item.written,
      server,
      advice,
      nearest: meant,
    });
}

/** Roles that the patterns name, themselves only, sorted. */
export function selectRoles(
  list: readonly Restriction[],
  owner: string,
  place: Place,
  { known, report }: WideContext,
): RoleName[] {
  const roles = [...known.roles];
  const found = new Set<string>();
  const items = restrictionItems(list, place);
  const texts = items.map((item) => item.written);
  for (const item of items) {
    if (sayNegatedRole(item, texts, roles, report)) continue;
    const matched = isGlob(item.written)
      ? roles.filter(globMatcher(item.written))
      : roles.filter((role) => role === item.written);
    if (item.presence === "must-not" && matched.length > 0)
      report.add("role/not-absent", item.place, { written: item.written, role: matched[0]! });
    // Of an exact role that may be missing nobody could tell a slip; patterns may find none.
    const mustBeThere = item.presence === "must" || (item.presence === "may" && !isGlob(item.written));
    if (mustBeThere && matched.length === 0 && item.written !== "*" && !excused("roles", item.written, known))
      sayNoRole(item, owner, roles, report);
    for (const role of matched) found.add(role);
  }
  return [...found].sort() as RoleName[];
}

function sayNoRole(item: RestrictionItem, owner: string, roles: readonly string[], report: Report): void {
  const near = item.written === "all" ? "*" : nearestGlob(item.written, roles);
  const advice = roleAdvice(item, roles);
  if (isGlob(item.written))
    report.add("role/matches-nothing", item.place, { written: item.written, advice, nearest: near });
  else report.add("role/unknown", item.place, { owner, role: item.written, advice, nearest: near });
}
