import { runsCommands } from "../base/shell-names.ts";
import { givenTools, isServedRole } from "./given.ts";
import type { FittedPlan, FittedRole } from "./types.ts";

/**
 * What of a role's on a host runs commands, by name: its own tools there, then tools of servers. Whoever has one can start
 * `rolecall serve` for another role, and open the inbox, as the user can. Undefined: nobody knows the host's own tools.
 */
export function shellsOf(role: FittedRole, { host }: Pick<FittedPlan, "host">): readonly string[] | undefined {
  const { ownTools } = host;
  const ofServers = givenTools(role)
    .filter(({ tool, decision }) => decision.effect === "allow" && decision.where.length === 0 && runsCommands(tool))
    .map(({ server, tool }) => `${server.name}.${tool.name}`);
  if (ownTools === undefined) return ofServers.length === 0 && host.gateway === "must" ? undefined : ofServers;
  const { builtins } = role;
  const isGiven = (name: string) => builtins === undefined || builtins.includes("*") || builtins.includes(name);
  const own = [...ownTools.tools].filter(([name, can]) => can === "runs" && isGiven(name));
  return [...own.map(([name]) => name), ...ofServers];
}

/** Roles of a host that are reached through the gateway and have such a tool, those with the same together. */
export function shellRoles(
  fitted: FittedPlan,
): { readonly roles: readonly string[]; readonly shells: readonly string[] | undefined }[] {
  const alike = new Map<string, { roles: string[]; shells: readonly string[] | undefined }>();
  for (const role of fitted.roles) {
    if (!isServedRole(role)) continue;
    const shells = shellsOf(role, fitted);
    if (shells?.length === 0) continue;
    const key = JSON.stringify(shells ?? null);
    const known = alike.get(key) ?? { roles: [], shells };
    known.roles.push(role.name);
    alike.set(key, known);
  }
  return [...alike.values()];
}
