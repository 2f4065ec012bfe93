import { askStore } from "../../io/serve/ask-store.ts";
import type { AskingDoor } from "../../io/serve/asking.ts";
import { readServeKey } from "../../io/serve/serve-key.ts";
import { openSharedAsks, type SharedAsks } from "../../io/serve/shared-asks.ts";
import { openShared, type Shared } from "../../io/serve/shared-redis.ts";
import type { ServeVariables } from "../../io/serve/variables.ts";
import type { Served } from "../../serve/types.ts";

/** What this door has in common with others under its address. */
export interface Several extends Pick<Shared, "limiter" | "close"> {
  /** Undefined: they have no key in common. */
  readonly asks: SharedAsks | undefined;
  readonly asking: AskingDoor;
  readonly states: Uint8Array | undefined;
}

export function openSeveral(
  dir: string,
  served: Served,
  variables: ServeVariables,
  said: (line: string) => void,
): Several {
  const { project, settings } = served;
  const named = settings.http.key;
  const key = named === undefined ? undefined : readServeKey(named, project, variables.env);
  const { redis, limiter, close } = openShared(dir, served, variables, said);
  if (key === undefined) return { limiter, asks: undefined, asking: NOBODY_TO_ASK, states: undefined, close };
  const store = askStore(redis, { project, key }, Date.now);
  const asks = openSharedAsks({ store, key, holdMs: settings.askHoldMs, looksEveryMs: 300, now: Date.now, said });
  return {
    limiter,
    asks,
    asking: asks,
    states: key.states,
    close() {
      asks.close();
      close();
    },
  };
}

/** Of several without a key: a yes that is given here means nothing to the others. */
const NOBODY_TO_ASK: AskingDoor = { ask: () => Promise.resolve({ kind: "elsewhere" }) };
