import type { RoleName, ServerName } from "../base/names.ts";
import { keyOf, within, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { RoleEntryBlock } from "../../schemas/types.ts";
import { linkConditions } from "./conditions.ts";
import { selectAsked, selectGrants, selectRestriction, selectRestrictions } from "./select.ts";
import type { RoleEntry, Selection, WhereSelection, SchemaCheck } from "./types.ts";
import type { SelectedServer } from "./linking.ts";

interface About {
  readonly role: RoleName;
  readonly server: ServerName;
  readonly place: Place;
}

/** `startsWhole`: the role extends nothing, so an `exclude` without an include starts from the whole manifest. */
export function linkEntry(
  block: RoleEntryBlock,
  about: About,
  startsWhole: boolean,
  server: SelectedServer,
  checkSchema: SchemaCheck,
  report: Report,
): RoleEntry {
  const empty: RoleEntry = { ...about, include: [], exclude: [], ask: [], where: [], statesTheWhole: false };
  const { place } = about;
  if (block === "all") return { ...empty, include: [everything("all", server, place, report)] };
  if (block === "none") return { ...empty, exclude: [{ written: "none", place, exact: false, tools: server.set.all }] };
  if (block === "read-only") {
    const include = selectGrants(["is:read-only"], server, place, report).map((selection) => ({
      ...selection,
      written: "read-only",
      place,
    }));
    return { ...empty, include, statesTheWhole: true };
  }
  if (Array.isArray(block)) return { ...empty, include: selectGrants(block, server, place, report) };
  const entry = block as Exclude<RoleEntryBlock, string | readonly string[]>;
  const whole = startsWhole && entry.include === undefined && entry.exclude !== undefined;
  return {
    ...empty,
    include: whole
      ? [everything("exclude", server, keyOf(within(place, "exclude")), report)]
      : selectGrants(entry.include ?? [], server, within(place, "include"), report),
    exclude: selectRestrictions(entry.exclude, server, within(place, "exclude"), report),
    ask: selectAsked(entry.ask, server, within(place, "ask"), report),
    where: Object.entries(entry.where ?? {}).flatMap(([selector, conditions]): WhereSelection[] => {
      const at = within(place, "where", selector);
      if (!server.pinned) {
        if (!server.unreadable)
          report.add("manifest/needed", keyOf(at), { what: "`where`", server: server.name, file: server.manifestFile });
        return [];
      }
      const selections = selectRestriction({ written: selector, place: keyOf(at), presence: "must" }, server, report);
      return selections.map((selection) => ({
        selection,
        conditions: linkConditions(conditions, at, checkSchema, report),
      }));
    }),
  };
}

function everything(written: string, server: SelectedServer, place: Place, report: Report): Selection {
  if (!server.pinned && !server.unreadable)
    report.add("manifest/needed", place, { what: `\`${written}\``, server: server.name, file: server.manifestFile });
  return { written, place, exact: false, tools: server.pinned ? server.set.all : [] };
}
