import { sanitised } from "../host-text.ts";
import type { FittedServer } from "../../../4-fit/types.ts";

/** A rule of a `permission` map. The order of the keys is their meaning: the last one that matches wins. */
export type Permissions = Record<string, string | Record<string, string>>;

/**
 * For whoever is none of the agents that we wrote: no tool and no resource of these servers, and no handing over. The
 * host merges this into the project's own file, where a key that is there already keeps its place, above a `"*": "allow"`
 * of the project's. So these keys are spelt as in no other file: they are new, come last, and win.
 */
export function permissions(servers: readonly FittedServer[]): Permissions {
  return { ...closed(servers, "**"), read: { "mcp:**": "deny" }, task: "deny" };
}

export function closed(servers: readonly FittedServer[], any: "*" | "**" = "*"): Permissions {
  return Object.fromEntries(servers.map(({ server }) => [`${sanitised(server.name, "_")}_${any}`, "deny"]));
}

/**
 * Resources obey the key `read` alone, whatever tools are hidden. Every server's: one that is named alone leaves those of
 * the file's other servers open to this agent. Nothing is said of files, since that would lift the host's own question
 * about `.env`.
 */
export const RESOURCES_CLOSED: Readonly<Record<string, string>> = { "mcp:*": "deny" };
