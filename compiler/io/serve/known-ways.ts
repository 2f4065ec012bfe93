import type { Served } from "../../serve/types.ts";
import { movedServers, waysText, withYes, type FoundWays, type MovedServer } from "../../serve/ways.ts";
import { noWays, type Accepted } from "./accepted.ts";

/** By this key, with the variables as they are. */
export type WaysOf = (served: Pick<Served, "servers" | "variables" | "settings">, key: string) => Promise<FoundWays>;

/** What was accepted of the ways to servers, compared with what they are now. */
export interface KnownWays {
  find(served: Served): Promise<FoundWays>;
  /** Of what was accepted. A version that compared no values accepted them as they were. */
  moved(standing: FoundWays): readonly MovedServer[];
  /** With a yes to all of it. */
  keep(found: FoundWays): void;
}

export function openKnownWays(accepted: Pick<Accepted, "ways" | "keepWays">, waysOf: WaysOf): KnownWays {
  const kept = accepted.ways();
  let ways = kept ?? noWays();
  let isCompared = kept !== undefined;
  const keep = (found: FoundWays): void => {
    const next = withYes(ways, found);
    if (!isCompared || waysText(next) !== waysText(ways)) accepted.keepWays(next);
    isCompared = true;
    ways = next;
  };
  return {
    find: (served) => waysOf(served, ways.key),
    moved(standing) {
      if (isCompared) return movedServers(standing, ways);
      keep(standing);
      return [];
    },
    keep,
  };
}
