import type { RoleName, ServerName } from "../base/names.ts";
import { keyOf, within, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { RoleBlock } from "../../schemas/types.ts";
import { linkConditions } from "./conditions.ts";
import type { Declared } from "./declarations.ts";
import { sayManifestNeeded } from "./selectors/manifest-needed.ts";
import type { SelectableServer } from "./selectors/match.ts";
import { exactNameOf } from "./selectors/parse.ts";
import { selectAsked, selectGrants, selectEach, selectRestrictions } from "./selectors/under-server.ts";
import type { RoleEntry, SchemaCheck, Selection, WhereSelection } from "./types.ts";
import { unpackTools, type WrittenTools } from "./written-tools.ts";

/** What a role says of one server, as it is written. */
export interface WrittenEntry {
  readonly role: string;
  readonly server: string;
  readonly place: Place;
  readonly tools: WrittenTools;
}

/** Each entry is unpacked here, once, for whoever reads it. In the order written. */
export function writtenEntries({ name, under, ...own }: Declared<RoleBlock>): WrittenEntry[] {
  return [...under, own].flatMap(({ block, place }) =>
    Object.entries(block.tools ?? {}).map(([server, entry]) => {
      const at = within(place, "tools", server);
      return { role: name, server, place: at, tools: unpackTools(entry, at, block.extends === undefined) };
    }),
  );
}

/** Tools that entries include by exact name, by server: without a manifest nothing else is known of them. */
export function toolsNamed(entries: readonly WrittenEntry[]): ReadonlyMap<string, ReadonlySet<string>> {
  const named = new Map<string, Set<string>>();
  for (const { server, tools } of entries) {
    const names = named.get(server) ?? new Set();
    for (const selector of tools.include) {
      const name = exactNameOf(selector);
      if (name !== undefined) names.add(name);
    }
    named.set(server, names);
  }
  return named;
}

export function linkEntry(
  { role, server: name, place, tools }: WrittenEntry,
  server: SelectableServer,
  checkSchema: SchemaCheck,
  report: Report,
): RoleEntry {
  return {
    role: role as RoleName,
    server: name as ServerName,
    place,
    include: included(tools, server, report),
    exclude:
      tools.form === "none"
        ? [{ written: "none", place, exact: false, tools: server.set.all }]
        : selectRestrictions(tools.exclude, server, within(place, "exclude"), report),
    ask: selectAsked(tools.ask, server, within(place, "ask"), report),
    where: Object.entries(tools.where).flatMap(([selector, conditions]): WhereSelection[] => {
      const at = within(place, "where", selector);
      if (!server.pinned) {
        sayManifestNeeded("`where`", server, keyOf(at), report);
        return [];
      }
      const selections = selectEach([{ written: selector, place: keyOf(at), presence: "must" }], server, report);
      return selections.map((selection) => ({
        selection,
        conditions: linkConditions(conditions, at, checkSchema, report),
      }));
    }),
    statesTheWhole: tools.form === "read-only",
  };
}

function included({ form, place, include }: WrittenTools, server: SelectableServer, report: Report): Selection[] {
  switch (form) {
    case "none":
      return [];
    case "all":
    case "rest": {
      const written = form === "all" ? "all" : "exclude";
      if (!server.pinned) sayManifestNeeded(`\`${written}\``, server, place, report);
      return [{ written, place, exact: false, tools: server.pinned ? server.set.all : [] }];
    }
    case "read-only":
      return selectGrants(["is:read-only"], server, place, report).map((selection) => ({
        ...selection,
        written: "read-only",
        place,
      }));
    case "listed":
      return selectGrants(include, server, place, report);
  }
}
