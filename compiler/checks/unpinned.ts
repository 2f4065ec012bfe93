import { keyOf } from "../base/place.ts";
import { isOff } from "../base/switched-off.ts";
import type { Check } from "./types.ts";

/** Tools that are held by name alone: nobody can say what they take, or whether a policy covers them. */
export const checkUnpinned: Check = ({ model }, report) => {
  for (const server of model.servers) {
    if (server.manifest || server.tools.length === 0 || isOff(server)) continue;
    report.add("manifest/missing", keyOf(server.place), {
      server: server.name,
      tools: server.tools.length === 1 ? "one tool is" : `${server.tools.length} tools are`,
    });
  }
};
