import type { Served } from "./types.ts";

/** Of a build of which nothing is known that could be taken away. It needs nothing else: not a file of rolecall's own may be there. */
export function callsNothing(served: Served): Served {
  return { ...served, waits: new Set(served.servers.keys()), isUnread: true };
}
