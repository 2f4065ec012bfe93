import { nearest, nearestGlob } from "../../base/nearest.ts";
import type { ServerName } from "../../base/names.ts";
import { within, type Place } from "../../base/place.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Restriction } from "../../../schemas/types.ts";
import type { Selection } from "../types.ts";
import { selectorAdvice, type SelectorList } from "./advice.ts";
import { findsTooLittle, unknownParts } from "./judge.ts";
import { sayManifestNeeded } from "./manifest-needed.ts";
import { matchTools, type SelectableServer } from "./match.ts";
import { exactName, type Selector, type SelectorPart } from "./parse.ts";
import { readSelector } from "./read.ts";
import { restrictionItems, type RestrictionItem } from "./restriction.ts";

/** Selectors in a place that grants: an unknown exact name is an error, a glob or class that finds nothing a warning. */
export function selectGrants(
  texts: readonly string[],
  server: SelectableServer,
  place: Place,
  report: Report,
): Selection[] {
  const list = listUnder(server, texts);
  return texts.flatMap((written, i) => {
    const item = { written, place: within(place, i) };
    const found = find(item, list, server, { namesWithoutPin: true }, report);
    if (found && found.selection.tools.length === 0 && isJudged(server))
      sayGrantsNothing(item, found.selector, list, server, report);
    return found ? [found.selection] : [];
  });
}

/** Selectors in a place that restricts: whatever matches nothing is an error, unless it says `optional` or `absent`. */
export function selectRestrictions(
  written: readonly Restriction[] | undefined,
  server: SelectableServer,
  place: Place,
  report: Report,
): Selection[] {
  return selectEach(restrictionItems(written, place), server, report);
}

/** What is asked must be held, so without a manifest a name can still be held against what the role includes. */
export function selectAsked(
  written: readonly Restriction[] | undefined,
  server: SelectableServer,
  place: Place,
  report: Report,
): Selection[] {
  return selectEach(restrictionItems(written, place), server, report, { namesWithoutPin: true });
}

/** Items of one list in a place that restricts. */
export function selectEach(
  items: readonly RestrictionItem[],
  server: SelectableServer,
  report: Report,
  without: WithoutPin = { namesWithoutPin: false },
): Selection[] {
  const list = listUnder(
    server,
    items.map(({ written }) => written),
  );
  return items.flatMap((item) => {
    const found = find(item, list, server, without, report);
    if (found === undefined) return [];
    const { tools } = found.selection;
    if (item.presence === "must-not" && tools.length > 0) {
      const tool = server.set.tools[tools[0]!]!.name;
      report.add("manifest/not-absent", item.place, { written: item.written, tool, server: server.name });
    }
    if (isJudged(server)) judgeRestriction(item, found, list, server, report);
    return item.presence === "must-not" && tools.length === 0 ? [] : [found.selection];
  });
}

function listUnder(server: SelectableServer, texts: readonly string[]): SelectorList {
  return { texts, under: server, servers: [server] };
}

interface WithoutPin {
  /** Names are taken as they are where there is no manifest to hold them against. */
  readonly namesWithoutPin: boolean;
}

interface FoundUnder {
  readonly selector: Selector;
  readonly selection: Selection;
}

type ItemUnder = Pick<RestrictionItem, "written" | "place">;

function find(
  { written, place }: ItemUnder,
  list: SelectorList,
  server: SelectableServer,
  { namesWithoutPin }: WithoutPin,
  report: Report,
): FoundUnder | undefined {
  const selector = readSelector({ written, place }, list, report);
  if (selector === undefined || server.unreadable) return undefined;
  const exact = exactName(selector) !== undefined;
  if (!server.pinned && !(namesWithoutPin && exact)) {
    sayManifestNeeded(`\`${written}\``, server, place, report);
    return undefined;
  }
  const tools = matchTools(selector, list.servers, false).get(server.name as ServerName) ?? [];
  return { selector, selection: { written, place, exact, tools } };
}

function isJudged(server: SelectableServer): boolean {
  return server.pinned && !server.unreadable;
}

function sayGrantsNothing(
  item: ItemUnder,
  selector: Selector,
  list: SelectorList,
  server: SelectableServer,
  report: Report,
): void {
  const [unknown] = unknownParts(selector, list.servers);
  if (unknown) return sayUnknown(unknown, item, selector, list, server, false, report);
  report.add("manifest/grants-nothing", item.place, {
    written: item.written,
    server: server.name,
    advice: selectorAdvice(item, list, false),
    nearest: nearestGlob(item.written, server.set.byName.keys()),
  });
}

function judgeRestriction(
  item: RestrictionItem,
  { selector, selection }: FoundUnder,
  list: SelectorList,
  server: SelectableServer,
  report: Report,
): void {
  // A tool may be missing where that is said to be fine; a label or scope that nobody declares is a slip.
  const unknown = unknownParts(selector, list.servers).find(({ kind }) => item.presence === "must" || kind !== "name");
  if (unknown) return sayUnknown(unknown, item, selector, list, server, true, report);
  if (item.presence !== "must" || !findsTooLittle(selector, list.servers, { size: selection.tools.length })) return;
  report.add("manifest/matches-nothing", item.place, {
    written: item.written,
    server: server.name,
    advice: selectorAdvice(item, list, true),
    nearest: nearestGlob(item.written, server.set.byName.keys()),
    spacing: spacingAdvice(item.written),
  });
}

function sayUnknown(
  part: SelectorPart,
  item: ItemUnder,
  { parts }: Selector,
  list: SelectorList,
  { name: server, set, labels }: SelectableServer,
  restricts: boolean,
  report: Report,
): void {
  if (part.kind === "name") {
    const withoutServer = part.name.startsWith(`${server}.`) ? part.name.slice(server.length + 1) : part.name;
    report.add("manifest/unknown-tool", item.place, {
      tool: part.name,
      server,
      advice: parts.length === 1 ? selectorAdvice(item, list, restricts) : undefined,
      nearest: nearest(withoutServer, set.byName.keys()),
      absent: restricts ? `\`{ absent: ${part.name} }\` says that it must not exist` : undefined,
    });
  } else if (part.kind === "label") {
    report.add("server/unknown-label", item.place, {
      label: part.name,
      server: `server \`${server}\``,
      nearest: nearest(part.name, labels),
    });
  } else if (part.kind === "scope") {
    const scopes = set.scopes.map(({ name }) => name);
    const near = nearest(part.name, scopes);
    const help = near ? `did you mean \`${near}\`?` : "declare it under `scopes:` of the server";
    report.add("server/unknown-scope", item.place, { scope: part.name, server, help });
  }
}

/** Parts that are joined without the spaces are one long glob. */
function spacingAdvice(written: string): string | undefined {
  return /\S&|&\S/.test(written) ? "write ` & ` with a space on each side" : undefined;
}
