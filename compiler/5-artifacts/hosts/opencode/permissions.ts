import { sanitised } from "../host-text.ts";
import type { FittedServer } from "../../../4-fit/types.ts";

/** A rule of a `permission` map. The order of the keys is their meaning: the last one that matches wins. */
export type Permissions = Record<string, string | Record<string, string>>;

/**
 * The host merges what we write, key by key, into what the user, the project and folders above say of the top or of an agent
 * of the same name. A key that is there already keeps its place, above whatever stands behind it. So what denies is spelt as
 * in no other file: such keys are new, come last, and win. An exact name that is allowed may lose its place, and is denied.
 */
export const ANY = "**";
export const READ = "rea?";
export const TASK = "tas?";

/** For whoever is none of the agents that we wrote: no tool and no resource of these servers, and no handing over. */
export function permissions(servers: readonly FittedServer[]): Permissions {
  return { ...closed(servers, ANY), [READ]: RESOURCES_CLOSED, [TASK]: "deny" };
}

export function closed(servers: readonly FittedServer[], any: "*" | typeof ANY): Permissions {
  return Object.fromEntries(servers.map(({ server }) => [`${sanitised(server.name, "_")}_${any}`, "deny"]));
}

/**
 * Resources obey the key `read` alone, whatever tools are hidden. Every server's: one that is named alone leaves those of
 * the file's other servers open to this agent. Nothing is said of files, since that would lift the host's own question
 * about `.env`.
 */
export const RESOURCES_CLOSED: Readonly<Record<string, string>> = { "mcp:**": "deny" };
