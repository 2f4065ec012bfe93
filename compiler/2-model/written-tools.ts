import { keyOf, within, type Place } from "../base/place.ts";
import type { CeilingBlock, ConditionsBlock, Restriction, RoleEntryBlock } from "../../schemas/types.ts";

/** What `tools:` says of one server, for a role or as a ceiling, in one shape however it was written. */
export interface WrittenTools {
  /** `listed`: what `include` names. `rest`: everything but what `exclude` names. The other forms are words. */
  readonly form: "all" | "none" | "read-only" | "rest" | "listed";
  /** What says which tools are meant: the word, the list, or the key. */
  readonly place: Place;
  readonly include: readonly string[];
  readonly exclude: readonly Restriction[];
  readonly ask: readonly Restriction[];
  readonly where: Readonly<Record<string, ConditionsBlock>>;
}

const NOTHING = { include: [], exclude: [], ask: [], where: {} };

/** `canBeRest`: where nothing is inherited, an `exclude` without an `include` starts from the whole manifest. */
export function unpackTools(block: RoleEntryBlock | CeilingBlock, place: Place, canBeRest: boolean): WrittenTools {
  if (typeof block === "string") return { ...NOTHING, form: block, place };
  if (Array.isArray(block)) return { ...NOTHING, form: "listed", place, include: block };
  const { include, exclude, ask, where } = block as Exclude<RoleEntryBlock, string | readonly string[]>;
  const isRest = canBeRest && include === undefined && exclude !== undefined;
  return {
    form: isRest ? "rest" : "listed",
    place: isRest ? keyOf(within(place, "exclude")) : within(place, "include"),
    include: include ?? [],
    exclude: exclude ?? [],
    ask: ask ?? [],
    where: where ?? {},
  };
}
