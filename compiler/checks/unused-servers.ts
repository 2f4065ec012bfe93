import { isOff } from "../base/switched-off.ts";
import { keyOf, within } from "../base/place.ts";
import { holdsAny } from "../3-plan/held.ts";
import type { Check } from "./types.ts";

/** Servers that nobody holds, though they are declared, or even said to be needed. */
export const checkUnusedServers: Check = ({ model, plan }, report) => {
  const used = new Set(
    model.roles.flatMap((role) => [...role.entries, ...role.addresses].map((entry) => entry.server)),
  );
  // Before the first role is written every server is unused, and nobody needs to be told.
  // One that is switched off is meant to be held by nobody.
  for (const server of model.roles.length > 0 ? model.servers : [])
    if (!used.has(server.name) && !isOff(server))
      report.add("server/unused", keyOf(server.place), { server: server.name });
  const held = new Set(plan.roles.flatMap((role) => role.grants.filter(holdsAny).map((grant) => grant.server.name)));
  for (const server of model.servers) {
    if (server.mustConnect && !held.has(server.name))
      report.add("server/must-connect-idle", within(server.place, "mustConnect"), { server: server.name });
  }
};
