import { nearest, nearestGlob } from "../base/nearest.ts";
import { within, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { SelectedServer } from "./linking.ts";
import { restrictionItems, type RestrictionItem } from "./restriction.ts";
import { sayNegated, selectorAdvice } from "./selector-advice.ts";
import { exactName, matchAll, matchPart, parseSelector, type Selector, type SelectorPart } from "./selector.ts";
import type { Restriction } from "../../schemas/types.ts";
import type { Selection } from "./types.ts";

/** Selectors in a place that grants: an unknown exact name is an error, a glob or class that finds nothing a warning. */
export function selectGrants(
  list: readonly string[],
  server: SelectedServer,
  place: Place,
  report: Report,
): Selection[] {
  return list.flatMap((written, i) => {
    const at = within(place, i);
    if (sayNegated({ written, place: at }, list, server, report)) return [];
    const selector = parseSelector(written, at, report);
    if (!selector || !canBeJudged(selector, true, server, report)) return [];
    const tools = matchAll(selector.parts, server.set);
    if (tools.length === 0 && judged(server)) sayGrantsNothing(selector, server, report);
    return [selection(selector, tools)];
  });
}

/** Selectors in a place that restricts: whatever matches nothing is an error, unless it says `optional` or `absent`. */
export function selectRestrictions(
  list: readonly Restriction[] | undefined,
  server: SelectedServer,
  place: Place,
  report: Report,
): Selection[] {
  const items = restrictionItems(list, place);
  return items.flatMap((item) => selectRestriction(item, server, report, { beside: items }));
}

/** What is asked must be held, so without a manifest a name can still be held against what the role includes. */
export function selectAsked(
  list: readonly Restriction[] | undefined,
  server: SelectedServer,
  place: Place,
  report: Report,
): Selection[] {
  const items = restrictionItems(list, place);
  return items.flatMap((item) => selectRestriction(item, server, report, { beside: items, namesWithoutPin: true }));
}

interface RestrictionList {
  /** All items of the list, this one too. */
  readonly beside?: readonly RestrictionItem[];
  readonly namesWithoutPin?: boolean;
}

export function selectRestriction(
  item: RestrictionItem,
  server: SelectedServer,
  report: Report,
  { beside = [item], namesWithoutPin = false }: RestrictionList = {},
): Selection[] {
  const list = beside.map(({ written }) => written);
  if (sayNegated(item, list, server, report)) return [];
  const selector = parseSelector(item.written, item.place, report);
  if (!selector || !canBeJudged(selector, namesWithoutPin, server, report)) return [];
  const tools = matchAll(selector.parts, server.set);
  if (item.presence === "must-not" && tools.length > 0) {
    report.add("manifest/not-absent", item.place, {
      written: item.written,
      tool: server.set.tools[tools[0]!]!.name,
      server: server.name,
    });
  }
  if (item.presence === "must" && judged(server)) sayMatchesNothing(selector, tools, server, report);
  else if (judged(server)) sayUndeclared(selector, server, report);
  return item.presence === "must-not" && tools.length === 0 ? [] : [selection(selector, tools)];
}

function selection(selector: Selector, tools: readonly number[]): Selection {
  return { written: selector.written, place: selector.place, exact: exactName(selector) !== undefined, tools };
}

function judged(server: SelectedServer): boolean {
  return server.pinned && !server.unreadable;
}

function canBeJudged(selector: Selector, namesWithoutPin: boolean, server: SelectedServer, report: Report): boolean {
  if (server.unreadable) return false;
  if (server.pinned || (namesWithoutPin && exactName(selector) !== undefined)) return true;
  report.add("manifest/needed", selector.place, {
    what: `\`${selector.written}\``,
    server: server.name,
    file: server.manifestFile,
  });
  return false;
}

function sayGrantsNothing(selector: Selector, server: SelectedServer, report: Report): void {
  for (const part of selector.parts) if (unknownPart(part, server)) return sayUnknown(part, selector, server, report);
  const advice = selectorAdvice(selector, server, false);
  report.add("manifest/grants-nothing", selector.place, {
    written: selector.written,
    server: server.name,
    advice,
    nearest: nearestGlob(selector.written, server.set.byName.keys()),
  });
}

/** Each part must find something of its own; together they may find nothing only where a class is one of them. */
function sayMatchesNothing(selector: Selector, tools: readonly number[], server: SelectedServer, report: Report): void {
  for (const part of selector.parts)
    if (unknownPart(part, server)) return sayUnknown(part, selector, server, report, true);
  const classed = selector.parts.some((part) => part.kind === "is");
  const lost = selector.parts.find((part) => part.kind !== "is" && matchPart(part, server.set).length === 0);
  if (lost || (tools.length === 0 && !classed))
    report.add("manifest/matches-nothing", selector.place, {
      written: selector.written,
      server: server.name,
      advice: selectorAdvice(selector, server, true),
      nearest: nearestGlob(selector.written, server.set.byName.keys()),
      spacing: spacingAdvice(selector.written),
    });
}

/** A tool may be missing where that is said to be fine; a label or scope that nobody declares is a slip. */
function sayUndeclared(selector: Selector, server: SelectedServer, report: Report): void {
  const slip = selector.parts.find((part) => part.kind !== "name" && unknownPart(part, server));
  if (slip) sayUnknown(slip, selector, server, report, true);
}

function unknownPart(part: SelectorPart, server: SelectedServer): boolean {
  if (part.kind === "name") return !server.set.byName.has(part.name);
  if (part.kind === "label") return !server.labels.includes(part.name);
  return part.kind === "scope" && !server.set.scopes.some((scope) => scope.name === part.name);
}

function sayUnknown(
  part: SelectorPart,
  selector: Selector,
  server: SelectedServer,
  report: Report,
  restricts = false,
): void {
  if (part.kind === "name") {
    const withServer = part.name.startsWith(`${server.name}.`) ? part.name.slice(server.name.length + 1) : part.name;
    const whole = selector.parts.length === 1;
    report.add("manifest/unknown-tool", selector.place, {
      tool: part.name,
      server: server.name,
      advice: whole ? selectorAdvice(selector, server, restricts) : undefined,
      nearest: nearest(withServer, server.set.byName.keys()),
      absent: restricts ? `\`{ absent: ${part.name} }\` says that it must not exist` : undefined,
    });
  } else if (part.kind === "label") {
    report.add("server/unknown-label", selector.place, {
      label: part.name,
      server: `server \`${server.name}\``,
      nearest: nearest(part.name, server.labels),
    });
  } else if (part.kind === "scope") {
    const near = nearest(
      part.name,
      server.set.scopes.map((scope) => scope.name),
    );
    const params = { scope: part.name, server: server.name, nearest: near };
    report.add("server/unknown-scope", selector.place, { ...params, case: "declare" });
  }
}

/** Parts that are joined without the spaces are one long glob. */
function spacingAdvice(written: string): string | undefined {
  return /\S&|&\S/.test(written) ? "write ` & ` with a space on each side" : undefined;
}
