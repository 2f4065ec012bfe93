import type { JsonValue } from "../../../base/json.ts";
import { sorted } from "../../../base/order.ts";
import type { Plan } from "../../../3-plan/types.ts";
import { mapOf, present } from "../host-text.ts";
import type { Spelling, SpeltTransport } from "../../../4-fit/spelling.ts";
import type { FittedPlan, FittedServer, HostFacts } from "../../../4-fit/types.ts";
import type { ManagedKey } from "../../types.ts";

export const spelling: Spelling = {
  plain: (name) => `\${${name}}`,
  withDefault: (name, text) => `\${${name}:-${text}}`,
  places: ["url", "headers", "env", "command", "cwd"],
  taken: /\$[A-Za-z_{]/,
};

/**
 * The keys of the project's `.gemini/settings.json`, which the team keeps: every role's servers, and none of them opened.
 * `mcp.excluded` keeps them from being started and denies their tools, until the start command of a role names its own;
 * that lifts the first, and the role's policy stands above the second. No `trust` and no `mcp.allowed`: both say yes to
 * every tool of a server. A role's prompt is a file of the host's context, beside the one that it reads by itself.
 */
export function sharedKeys({ plan, roles }: FittedPlan<HostFacts, SpeltTransport>): ManagedKey[] {
  const given = roles.flatMap((role) => role.servers);
  const names = sorted(new Set(given.map(({ server }) => server.name)));
  const prompts = roles.some(({ role }) => role.prompt !== undefined)
    ? [{ at: ["context", "fileName"], value: ["GEMINI.md", promptPath(plan, "${ROLECALL_ROLE}")] }]
    : [];
  if (names.length === 0) return prompts;
  const servers = names.map((name) => given.filter(({ server }) => server.name === name));
  return [
    ...servers.map((same, i) => ({ at: ["mcpServers", names[i]!], value: serverEntry(same) as JsonValue })),
    { at: ["mcp", "excluded"], value: names },
    ...prompts,
  ];
}

/** From the folder in which the host is started. It expands its settings, so the start command says whose prompt is meant. */
export function promptPath({ project }: Plan, role: string): string {
  return `${project.folder}/hosts/gemini-cli/${role}/prompt.md`;
}

/** One server, as each role is given it: the tools of all of them, since each role's policy has its own. */
function serverEntry(same: readonly FittedServer<SpeltTransport>[]): object {
  const { server, told } = same[0]!;
  const [command, ...args] = told.kind === "stdio" ? told.command : [];
  const reached =
    told.kind === "stdio"
      ? { command, args, env: mapOf(told.env), cwd: told.cwd }
      : { [told.kind === "http" ? "httpUrl" : "url"]: told.url, headers: mapOf(told.headers) };
  return present({
    ...reached,
    timeout: server.limits.timeoutMs,
    includeTools: sorted(new Set(same.flatMap(({ tools }) => tools.map(({ tool }) => tool.name as string)))),
  });
}
