import type { Origins } from "../../base/place.ts";
import type { MergedPlace } from "../../4-fit/merged-place.ts";
import type { Host } from "../../5-artifacts/target.ts";

/** Servers that stay in a host's file, under names that are ours now. */
export interface Stays {
  readonly title: string;
  /** As they are written there. */
  readonly keys: readonly string[];
}

/** Undefined: none of these hosts looks for servers there. `origins`: of all that the file declares. */
export function staysIn(file: string, origins: Origins, hosts: readonly Host[]): Stays | undefined {
  const found = hosts.map(({ title, merges = [] }) => {
    const maps = merges.flatMap((place) => mapsOfServers(place, file));
    const keys = origins.filter((origin) => isServerIn(maps, origin)).map(([, written]) => written.join("."));
    return { title, keys };
  });
  return found.find(({ keys }) => keys.length > 0);
}

/** In the project's own file, or one of a folder above. */
function mapsOfServers(place: MergedPlace, file: string): string[] {
  if (!("file" in place) || typeof place.in !== "string" || place.file !== file) return [];
  return place.names.filter(({ of }) => of === "servers").map(({ at }) => at.join("."));
}

/** Under another name than its own it is joined with nothing. */
function isServerIn(maps: readonly string[], [made, written]: Origins[number]): boolean {
  const isServer = made.length === 2 && made[0] === "servers" && made[1] === written.at(-1);
  return isServer && maps.includes(written.slice(0, -1).join("."));
}
