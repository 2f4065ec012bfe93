import { nearest, nearestGlob } from "../../base/nearest.ts";
import type { ServerName } from "../../base/names.ts";
import { within, type Place } from "../../base/place.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Restriction } from "../../../schemas/types.ts";
import type { Selection } from "../types.ts";
import { UNCLEAR, selectorAdvice, type SelectorList } from "./advice.ts";
import { findsTooLittle, unknownParts } from "./judge.ts";
import { sayManifestNeeded } from "./manifest-needed.ts";
import { matchTools, type SelectableServer } from "./match.ts";
import { exactName, type Selector, type SelectorPart } from "./parse.ts";
import { readSelector } from "./read.ts";
import { restrictionItems, type RestrictionItem } from "./restriction.ts";

/** A list that stands under a server. */
interface ListUnder extends SelectorList {
  readonly under: SelectableServer;
  readonly report: Report;
}

/** Selectors in a place that grants: an unknown exact name is an error, a glob or class that finds nothing a warning. */
export function selectGrants(
  texts: readonly string[],
  server: SelectableServer,
  place: Place,
  report: Report,
): Selection[] {
  const list: ListUnder = { texts, under: server, servers: [server], report };
  return texts.flatMap((written, i) => {
    const found = find({ written, place: within(place, i) }, list, { ...NAMES_WITHOUT_PIN, gives: true });
    if (found && found.selection.tools.length === 0 && server.pinned) sayGrantsNothing(found, list);
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
  return selectEach(restrictionItems(written, place), server, report, NAMES_WITHOUT_PIN);
}

interface WithoutPin {
  /** Names are taken as they are where there is no manifest to hold them against. */
  readonly takesNames: boolean;
  /** What is found is held by it. */
  readonly gives?: boolean;
}
const NAMES_WITHOUT_PIN: WithoutPin = { takesNames: true };

/** Items of one list in a place that restricts. */
export function selectEach(
  items: readonly RestrictionItem[],
  server: SelectableServer,
  report: Report,
  withoutPin: WithoutPin = { takesNames: false },
): Selection[] {
  const list: ListUnder = { texts: items.map(({ written }) => written), under: server, servers: [server], report };
  return items.flatMap((item) => {
    const found = find(item, list, withoutPin);
    if (found === undefined) return [];
    const { tools } = found.selection;
    if (item.presence === "must-not" && tools.length > 0) {
      const tool = server.set.tools[tools[0]!]!.name;
      report.add("manifest/not-absent", item.place, { written: item.written, tool, server: server.name });
    }
    if (server.pinned) judgeRestriction(item.presence, found, list);
    return item.presence === "must-not" && tools.length === 0 ? [] : [found.selection];
  });
}

interface FoundUnder {
  readonly selector: Selector;
  readonly selection: Selection;
}

function find(
  item: Pick<RestrictionItem, "written" | "place">,
  list: ListUnder,
  { takesNames, gives }: WithoutPin,
): FoundUnder | undefined {
  const { written, place } = item;
  const { under: server, servers, report } = list;
  const selector = readSelector(item, list, report, gives);
  if (selector === undefined || server.unreadable) return undefined;
  const exact = exactName(selector) !== undefined;
  if (!server.pinned && !(takesNames && exact)) {
    sayManifestNeeded(`\`${written}\``, server, place, report);
    return undefined;
  }
  const tools = matchTools(selector, servers).get(server.name as ServerName) ?? [];
  return { selector, selection: { written, place, exact, tools } };
}

function sayGrantsNothing(found: FoundUnder, list: ListUnder): void {
  const [unknown] = unknownParts(found.selector, list.servers);
  if (unknown) return sayUnknown(unknown, found, list, false);
  const { written, place } = found.selection;
  list.report.add("manifest/grants-nothing", place, {
    written,
    server: list.under.name,
    ...selectorAdvice(found.selection, list, false),
    nearest: nearestGlob(written, list.under.set.byName.keys()),
    // A file of another system gives what reads: where no tool says that it does, nothing is to be corrected there.
    unsaid: place.origins !== undefined && written === "is:read-only" ? list.under.name : undefined,
  });
}

function judgeRestriction(presence: RestrictionItem["presence"], found: FoundUnder, list: ListUnder): void {
  const { selector, selection } = found;
  // A tool may be missing where that is said to be fine; a label or scope that nobody declares is a slip.
  const unknown = unknownParts(selector, list.servers).find(({ kind }) => presence === "must" || kind !== "name");
  if (unknown) return sayUnknown(unknown, found, list, true);
  if (presence !== "must" || !findsTooLittle(selector, list.servers, { size: selection.tools.length })) return;
  const { written, place } = selection;
  list.report.add("manifest/matches-nothing", place, {
    written,
    server: list.under.name,
    ...selectorAdvice(selection, list, true),
    nearest: nearestGlob(written, list.under.set.byName.keys()),
    spacing: spacingAdvice(written),
  });
}

function sayUnknown(part: SelectorPart, found: FoundUnder, list: ListUnder, restricts: boolean): void {
  const { report, under } = list;
  const { name: server, set, labels } = under;
  const { place } = found.selection;
  if (part.kind === "name") {
    const withoutServer = part.name.startsWith(`${server}.`) ? part.name.slice(server.length + 1) : part.name;
    const isWhole = found.selector.parts.length === 1;
    report.add("manifest/unknown-tool", place, {
      tool: part.name,
      server,
      ...(isWhole ? selectorAdvice(found.selection, list, restricts) : UNCLEAR),
      nearest: nearest(withoutServer, set.byName.keys()),
      absent: restricts ? `\`{ absent: ${part.name} }\` says that it must not exist` : undefined,
    });
  } else if (part.kind === "label") {
    const near = nearest(part.name, labels);
    report.add("server/unknown-label", place, { label: part.name, server: `server \`${server}\``, nearest: near });
  } else if (part.kind === "scope") {
    const scopes = set.scopes.map(({ name }) => name);
    report.add("server/unknown-scope", place, {
      scope: part.name,
      server: `server \`${server}\``,
      nearest: nearest(part.name, scopes),
      case: "declare",
    });
  }
}

/** Parts that are joined without the spaces are one long glob. */
function spacingAdvice(written: string): string | undefined {
  return /\S&|&\S/.test(written) ? "write ` & ` with a space on each side" : undefined;
}
