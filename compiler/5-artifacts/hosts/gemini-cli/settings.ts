import type { JsonValue } from "../../../base/json.ts";
import { sorted } from "../../../base/order.ts";
import type { HostChoice, Plan } from "../../../3-plan/types.ts";
import { mapOf, present } from "../host-text.ts";
import { spellTransport, type Spelling } from "../../../4-fit/spelling.ts";
import type { FittedPlan, FittedServer } from "../../../4-fit/types.ts";
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
export function sharedKeys({ plan, roles, choice }: FittedPlan): ManagedKey[] {
  const given = roles.flatMap((role) => role.servers);
  const names = sorted(new Set(given.map(({ server }) => server.name)));
  const prompts = roles.some(({ role }) => role.prompt !== undefined)
    ? [{ at: ["context", "fileName"], value: ["GEMINI.md", promptPath(plan, "${ROLECALL_ROLE}")] }]
    : [];
  if (names.length === 0) return prompts;
  const servers = names.map((name) => given.filter(({ server }) => server.name === name));
  return [
    ...servers.map((same, i) => ({ at: ["mcpServers", names[i]!], value: serverEntry(same, choice) as JsonValue })),
    { at: ["mcp", "excluded"], value: names },
    ...prompts,
  ];
}

/** From the folder in which the host is started. It expands its settings, so the start command says whose prompt is meant. */
export function promptPath({ project }: Plan, role: string): string {
  return `${project.folder}/hosts/gemini-cli/${role}/prompt.md`;
}

/** One server, as each role is given it: the tools of all of them, since each role's policy has its own. */
function serverEntry(same: readonly FittedServer[], choice: HostChoice): object {
  const { server, transport } = same[0]!;
  const spelt = spellTransport(transport, spelling, choice).value!;
  const [command, ...args] = spelt.kind === "stdio" ? spelt.command : [];
  const reached =
    spelt.kind === "stdio"
      ? { command, args, env: mapOf(spelt.env), cwd: spelt.cwd }
      : { [spelt.kind === "http" ? "httpUrl" : "url"]: spelt.url, headers: mapOf(spelt.headers) };
  return present({
    ...reached,
    timeout: server.limits.timeoutMs,
    includeTools: sorted(new Set(same.flatMap(({ tools }) => tools.map(({ tool }) => tool.name as string)))),
  });
}
