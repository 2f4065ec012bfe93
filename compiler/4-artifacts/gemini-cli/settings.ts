import type { HostChoice } from "../../3-plan/types.ts";
import { mapOf, present } from "../fitting/host-text.ts";
import { spellTransport, type Spelling } from "../fitting/spelling.ts";
import type { FittedRole, FittedServer } from "../fitting/types.ts";

export const spelling: Spelling = {
  plain: (name) => `\${${name}}`,
  withDefault: (name, text) => `\${${name}:-${text}}`,
  places: ["url", "headers", "env", "command", "cwd"],
  taken: /\$[A-Za-z_{]/,
};

/** These read a server's resources whatever tools are hidden. */
const RESOURCE_TOOLS = ["list_mcp_resources", "read_mcp_resource"];

export function settings({ servers, builtins }: FittedRole, choice: HostChoice): object {
  return {
    mcp: { allowed: servers.map(({ server }) => server.name) },
    mcpServers: Object.fromEntries(servers.map((fitted) => [fitted.server.name, serverEntry(fitted, choice)])),
    tools: present({
      core: builtins === undefined || builtins.includes("*") ? undefined : builtins,
      exclude: RESOURCE_TOOLS,
    }),
  };
}

/** `trust` saves the question for every tool of a server, so one that is asked takes it away from all. */
function serverEntry({ server, transport, tools }: FittedServer, choice: HostChoice): object {
  const spelt = spellTransport(transport, spelling, choice).value!;
  const [command, ...args] = spelt.kind === "stdio" ? spelt.command : [];
  const reached =
    spelt.kind === "stdio"
      ? { command, args, env: mapOf(spelt.env), cwd: spelt.cwd }
      : { [spelt.kind === "http" ? "httpUrl" : "url"]: spelt.url, headers: mapOf(spelt.headers) };
  return present({
    ...reached,
    timeout: server.limits.timeoutMs,
    trust: tools.every(({ effect }) => effect === "allow"),
    includeTools: tools.map(({ tool }) => tool.name),
  });
}
