import { sanitised } from "../fitting/host-text.ts";
import type { FittedServer } from "../fitting/types.ts";

/** A rule of a `permission` map. The order of the keys is their meaning: the last one that matches wins. */
export type Permissions = Record<string, string | Record<string, string>>;

/** For whoever is none of the agents that we wrote: no tool and no resource of these servers, and no handing over. */
export function permissions(servers: readonly FittedServer[]): Permissions {
  return { ...closed(servers), ...resourcesClosed(servers), task: "deny" };
}

export function closed(servers: readonly FittedServer[]): Permissions {
  return Object.fromEntries(servers.map(({ server }) => [`${sanitised(server.name, "_")}_*`, "deny"]));
}

/** Resources obey the key `read` alone, whatever tools are hidden. */
export function resourcesClosed(servers: readonly FittedServer[]): Permissions {
  if (servers.length === 0) return {};
  const closedOnes = servers.map(({ server }) => [`mcp:${server.name}:*`, "deny"] as const);
  return { read: { "*": "allow", ...Object.fromEntries(closedOnes) } };
}
