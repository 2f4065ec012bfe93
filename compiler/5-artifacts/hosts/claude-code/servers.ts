import { mapOf, present } from "../host-text.ts";
import type { Spelling, SpeltTransport } from "../../../4-fit/spelling.ts";
import type { FittedServer } from "../../../4-fit/types.ts";

export const spelling: Spelling = {
  plain: (name) => `\${${name}}`,
  withDefault: (name, text) => `\${${name}:-${text}}`,
  places: ["url", "headers", "env", "command"],
  taken: /\$\{/,
};

/** An entry under `mcpServers`. A `type` is always written: without one, a server with a URL is dropped silently. */
export function serverEntry({ server, told }: FittedServer<SpeltTransport>): object {
  const timeout = server.limits.timeoutMs;
  if (told.kind !== "stdio") return present({ type: told.kind, url: told.url, headers: mapOf(told.headers), timeout });
  const [command, ...args] = told.command;
  return present({ type: "stdio", command, args, env: mapOf(told.env), timeout });
}
