import { askStore } from "../../io/serve/ask-store.ts";
import type { AskingDoor } from "../../io/serve/asking.ts";
import { readServeKey } from "../../io/serve/serve-key.ts";
import { openSharedAsks, type SharedAsks } from "../../io/serve/shared-asks.ts";
import { openShared, type Shared } from "../../io/serve/shared-redis.ts";
import type { ServeVariables } from "../../io/serve/variables.ts";
import type { Served } from "../../serve/types.ts";

/** What this door has in common with others under its address. */
export interface Several extends Pick<Shared, "limiter" | "close"> {
  /** Undefined: they have no key in common, and nobody can be asked. */
  readonly asks: SharedAsks | undefined;
  readonly states: Uint8Array | undefined;
}

/** Undefined: it is the only one. */
export function openSeveral(
  dir: string,
  served: Served,
  variables: ServeVariables,
  said: (line: string) => void,
): Several | undefined {
  const { project, settings } = served;
  const named = settings.http.key;
  const key = named === undefined ? undefined : readServeKey(named, project, variables.env);
  const shared = openShared(dir, served, variables, said);
  if (shared === undefined) return undefined;
  const { redis, limiter, close } = shared;
  if (key === undefined) return { limiter, asks: undefined, states: undefined, close };
  const store = askStore(redis, { project, key }, Date.now);
  const asks = openSharedAsks({ store, key, holdMs: settings.askHoldMs, looksEveryMs: 300, now: Date.now, said });
  return {
    limiter,
    asks,
    states: key.states,
    close() {
      asks.close();
      close();
    },
  };
}

/** Of several without a key: a yes that is given here means nothing to the others. */
export const NOBODY_TO_ASK: AskingDoor = { ask: () => Promise.resolve({ kind: "elsewhere" }) };
