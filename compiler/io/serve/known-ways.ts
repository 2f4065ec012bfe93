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
  const first = accepted.ways();
  let ways = first ?? noWays();
  let isCompared = first !== undefined;
  /** Another process may have been told a yes: its file is the truth, and where it is gone what was known stays. */
  const now = (): typeof ways => {
    const kept = accepted.ways();
    isCompared ||= kept !== undefined;
    return (ways = kept ?? ways);
  };
  const keep = (found: FoundWays): void => {
    const known = now();
    const next = withYes(known, found);
    if (!isCompared || waysText(next) !== waysText(known)) accepted.keepWays(next);
    isCompared = true;
    ways = next;
  };
  return {
    find: (served) => waysOf(served, now().key),
    moved(standing) {
      const known = now();
      if (isCompared) return movedServers(standing, known);
      keep(standing);
      return [];
    },
    keep,
  };
}
