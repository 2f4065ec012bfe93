import { within, type Place } from "../../base/place.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Restriction } from "../../../schemas/types.ts";
import type { SelectableServer } from "./match.ts";
import { exactNameOf } from "./parse.ts";

/** An item of a list that restricts. `must` match something, `may` match nothing, or `must-not` match anything. */
export interface RestrictionItem {
  readonly written: string;
  readonly place: Place;
  readonly presence: "must" | "may" | "must-not";
}

export function restrictionItems(list: readonly Restriction[] | undefined, place: Place): RestrictionItem[] {
  return (list ?? []).map((item, i) => {
    if (typeof item === "string") return { written: item, place: within(place, i), presence: "must" };
    return "optional" in item
      ? { written: item.optional, place: within(place, i, "optional"), presence: "may" }
      : { written: item.absent, place: within(place, i, "absent"), presence: "must-not" };
  });
}

/** A preset serves several versions of a server: a name of its that this manifest lacks is a note, not an error. */
export function presetItems(
  items: readonly RestrictionItem[],
  server: SelectableServer,
  report: Report,
): RestrictionItem[] {
  return items.map((item) => {
    if (item.presence !== "must") return item;
    const name = exactNameOf(item.written);
    const missing = server.pinned && name !== undefined && !server.set.byName.has(name);
    if (missing)
      report.add("server/preset-name-missing", item.place, {
        preset: item.place.file,
        tool: item.written,
        server: server.name,
      });
    return { ...item, presence: "may" };
  });
}
