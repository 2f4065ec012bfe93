import { sortedBy } from "../../../base/order.ts";
import type { HostChoice } from "../../../3-plan/types.ts";
import { mapOf, present } from "../host-text.ts";
import { spellTransport, type Spelling } from "../../../4-fit/spelling.ts";
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
export function serversOf(roles: readonly FittedRole[]): FittedServer[] {
  const given = roles.flatMap((role) => role.servers);
  const byName = new Map(given.map((server) => [server.server.name, server]));
  return sortedBy(byName.values(), ({ server }) => server.name);
}

/** An entry under `mcp`. A remote one is tried as HTTP first, then as SSE: it can't be chosen. */
export function serverEntry({ server, transport }: FittedServer, choice: HostChoice): Record<string, unknown> {
  const spelt = spellTransport(transport, spelling, choice).value!;
  const timeout = server.limits.timeoutMs;
  return spelt.kind === "stdio"
    ? present({
        type: "local",
        command: spelt.command,
        cwd: spelt.cwd,
        environment: mapOf(spelt.env),
        enabled: true,
        timeout,
      })
    : present({ type: "remote", url: spelt.url, headers: mapOf(spelt.headers), enabled: true, timeout });
}
