import { sortedBy } from "../../../base/order.ts";
import { mapOf, present } from "../host-text.ts";
import type { Spelling, SpeltTransport } from "../../../4-fit/spelling.ts";
import type { FittedRole, FittedServer, Replaced } from "../../../4-fit/types.ts";

export const spelling: Spelling = {
  plain: (name) => `{env:${name}}`,
  places: ["url", "headers", "env", "command", "cwd"],
  taken: /\{(env|file):/,
};

/** Its configuration is expanded as text, before it is read as JSON. */
export function replacedIn(text: string): Replaced | undefined {
  const part = /\{(?:env|file):[^}]*\}/.exec(text)?.[0];
  return part === undefined ? undefined : { part, help: `write it otherwise, such as \`{ ${part.slice(1)}\`` };
}

/** What these roles are given between them, each server once, sorted by name. */
export function serversOf<Told>(roles: readonly FittedRole<Told>[]): FittedServer<Told>[] {
  const given = roles.flatMap((role) => role.servers);
  const byName = new Map(given.map((server) => [server.server.name, server]));
  return sortedBy(byName.values(), ({ server }) => server.name);
}

/**
 * An entry under `mcp`. A remote one is tried as HTTP first, then as SSE: it can't be chosen. `cwd` is always written: the
 * host would take it from an entry of this name in a file of somebody else's.
 */
export function serverEntry({ server, told }: FittedServer<SpeltTransport>): Record<string, unknown> {
  const timeout = server.limits.timeoutMs;
  return told.kind === "stdio"
    ? present({
        type: "local",
        command: told.command,
        cwd: told.cwd ?? ".",
        environment: mapOf(told.env),
        enabled: true,
        timeout,
      })
    : present({ type: "remote", url: told.url, headers: mapOf(told.headers), enabled: true, timeout });
}
