import type { Plan } from "../3-plan/types.ts";
import { changesPin, nameOf } from "./compare-manifests.ts";
import type { Captured, Contradiction, GoodAnswer } from "./types.ts";

/** Of the tools that are new or changed; what `hints` of the project say about one settles it. */
export function contradictionsIn(after: Plan, { pin, changes }: Captured & GoodAnswer): Contradiction[] {
  const fresh = new Set([...changes.added.map(nameOf), ...changes.changed.filter(changesPin).map(({ name }) => name)]);
  const found = new Map<string, Contradiction>();
  for (const server of after.servers.filter((one) => one.pin === pin))
    for (const { name, contradiction: word } of server.tools)
      if (word !== undefined && fresh.has(name)) found.set(name, { tool: name, word });
  return [...found.values()];
}
