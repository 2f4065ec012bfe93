import type { JsonValue } from "../../../base/json.ts";
import type { SpeltTransport } from "../../../4-fit/spelling.ts";
import type { FittedPlan, FittedRole, HostFacts } from "../../../4-fit/types.ts";
import type { ManagedKey } from "../../types.ts";
import { agentEntry, type Mode } from "./agents.ts";
import { closed } from "./permissions.ts";
import { serverEntry, serversOf } from "./servers.ts";

/**
 * The keys of an `opencode.json` that the team keeps: every role's agent, the servers of all, and a deny for each server
 * at the top, so that whoever isn't one of these agents gets none of their tools: of an entry of the user's own, too.
 */
export function sharedKeys({ roles }: FittedPlan<HostFacts, SpeltTransport>): ManagedKey[] {
  const all = serversOf(roles);
  const asked = new Set<string>(roles.flatMap(({ delegates }) => delegates));
  const keys: (readonly [at: readonly string[], value: unknown])[] = [
    ...Object.entries(closed(all, "*")).map(([pattern, value]) => [["permission", pattern], value] as const),
    [["permission", "read", "mcp:*"], "deny"],
    [["permission", "task"], "deny"],
    ...roles.map((role) => [["agent", role.name], agentEntry(role, modeOf(role, asked), all)] as const),
  ];
  const servers = all.map((one) => ({
    at: ["mcp", one.server.name],
    value: serverEntry(one) as JsonValue,
    ...(one.server.givesWay && { givesWay: true }),
  }));
  return [...servers, ...keys.map(([at, value]) => ({ at, value: value as JsonValue }))];
}

/** Every role can be started from that file. One that is `primary` alone isn't told to those that may hand it work. */
function modeOf({ name }: FittedRole, asked: ReadonlySet<string>): Mode {
  return asked.has(name) ? "all" : "primary";
}
