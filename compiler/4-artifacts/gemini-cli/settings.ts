import type { HostChoice } from "../../3-plan/types.ts";
import { mapOf, present } from "../fitting/host-text.ts";
import { spellTransport, type Spelling } from "../fitting/spelling.ts";
import type { FittedRole, FittedServer } from "../fitting/types.ts";
import { RESOURCE_TOOLS } from "./policy.ts";

export const spelling: Spelling = {
  plain: (name) => `\${${name}}`,
  withDefault: (name, text) => `\${${name}:-${text}}`,
  places: ["url", "headers", "env", "command", "cwd"],
  taken: /\$[A-Za-z_{]/,
};

/** Both start from the folder in which the host is started. */
interface Files {
  readonly policy: string;
  readonly prompt: string | undefined;
}

/**
 * No `trust` and no `mcp.allowed`: both say yes to every tool of a server, where the policy should ever be missing. The
 * prompt is a file of the host's context, beside the one that it reads by itself.
 */
export function settings({ servers, builtins }: FittedRole, { policy, prompt }: Files, choice: HostChoice): object {
  return {
    policyPaths: [policy],
    ...(prompt !== undefined && { context: { fileName: ["GEMINI.md", prompt] } }),
    mcpServers: Object.fromEntries(servers.map((fitted) => [fitted.server.name, serverEntry(fitted, choice)])),
    tools: present({
      core: builtins === undefined || builtins.includes("*") ? undefined : builtins,
      exclude: RESOURCE_TOOLS,
    }),
  };
}

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
    includeTools: tools.map(({ tool }) => tool.name),
  });
}
