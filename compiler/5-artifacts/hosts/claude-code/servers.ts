import type { HostChoice } from "../../../3-plan/types.ts";
import { mapOf, present } from "../host-text.ts";
import { spellTransport, type Spelling } from "../../../4-fit/spelling.ts";
import type { FittedServer } from "../../../4-fit/types.ts";

export const spelling: Spelling = {
  plain: (name) => `\${${name}}`,
  withDefault: (name, text) => `\${${name}:-${text}}`,
  places: ["url", "headers", "env", "command"],
  taken: /\$\{/,
};

/** An entry under `mcpServers`. A `type` is always written: without one, a server with a URL is dropped silently. */
export function serverEntry({ server, transport }: FittedServer, choice: HostChoice): object {
  const spelt = spellTransport(transport, spelling, choice).value!;
  const timeout = server.limits.timeoutMs;
  if (spelt.kind !== "stdio")
    return present({ type: spelt.kind, url: spelt.url, headers: mapOf(spelt.headers), timeout });
  const [command, ...args] = spelt.command;
  return present({ type: "stdio", command, args, env: mapOf(spelt.env), timeout });
}
