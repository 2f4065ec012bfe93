import type { JsonValue } from "../../../base/json.ts";
import { visible } from "../../../base/visible.ts";
import { githubAgents } from "../github-agents.ts";
import { LISTED_APART, mapOf, present } from "../host-text.ts";
import { agentFiles, openServers, writtenSecrets } from "../left-places.ts";
import { promptKey } from "../prompt-key.ts";
import { spellTransport, type Spelling, type SpeltTransport } from "../../../4-fit/spelling.ts";
import type { FittedPlan, FittedRole, HostFacts } from "../../../4-fit/types.ts";
import type { Host } from "../../target.ts";
import type { Artifact, ManagedKey } from "../../types.ts";
import { KEPT } from "./kept-names.ts";
import { BUILT_IN, OWN_TOOLS } from "./own-tools.ts";

/** An agent file for each role, and the servers of all roles in the file that the editor reads. */
export const vscode: Host<SpeltTransport> = {
  id: "vscode",
  title: "VS Code",
  alsoCalled: ["code", "vs-code"],
  signs: { files: [".vscode/mcp.json"] },
  places: {
    shared: [".github/agents", ".vscode/mcp.json"],
    agents: ".github/agents",
    keyed: [
      {
        file: /^\.github\/agents\/[^/]+\.agent\.md$/,
        format: "front-matter",
        keys: /^(?:|name|description|tools|agents|target)$/,
        written: ".github/agents/*.vscode.agent.md",
      },
      {
        file: /^\.vscode\/mcp\.json$/,
        format: "json",
        keys: /^servers\/[^/]+$/,
        holdsServers: true,
        written: ".vscode/mcp.json",
      },
    ],
  },
  gateway: "may",
  served: { together: true },
  isEditor: true,
  handsOver: true,
  abilities: {
    hide: {
      holds: "enforced",
      but: "for the role's agent alone: another agent, or a prompt file that names tools, has every tool of these servers",
      leavesOpen: "others",
    },
    ask: { holds: "asked", but: "a user can approve a tool for good" },
    conditions: { holds: "none" },
    resources: { holds: "none" },
    delegation: { holds: "enforced" },
    builtins: { holds: "enforced" },
    references: { holds: "enforced", but: "an unset variable becomes empty" },
    pins: { holds: "none", but: "it never compares definitions: run `rolecall capture --check`" },
    limits: { holds: "none", but: "held by rolecall's runtime alone" },
    roles: true,
    filtersByName: true,
    longestName: undefined,
    splitsNames: LISTED_APART,
  },
  ownTools: OWN_TOOLS,
  kept: KEPT,
  joinedName: (server, tool) => `${server}/${tool}`,
  tell: (transport, choice) => spellTransport(transport, spelling, choice),
  leftPlaces: (fitted) => [
    writtenSecrets({ file: ".vscode/mcp.json", key: "servers" }, fitted),
    agentFiles(
      { folder: ".github/agents", ending: ".agent.md", keys: ["name", "description", "target", "tools", "agents"] },
      fitted,
    ),
    ...openServers(
      { file: ".vscode/mcp.json", key: "servers" },
      fitted as FittedPlan<HostFacts, SpeltTransport>,
      serverEntry,
    ),
  ],
  // As its pages have them: a workspace's settings may say with how many questions a chat begins.
  merges: [
    ...githubAgents({ otherwise: ".copilot" }),
    {
      in: "project",
      file: ".vscode/settings.json",
      names: [],
      settings: [
        { at: ["chat.permissions.default"], undoes: "asks", unless: ["default"] },
        { at: ["chat.defaultConfiguration", "approvals"], undoes: "asks", unless: ["default"] },
        { at: ["chat.tools.global.autoApprove"], undoes: "asks", unless: [false] },
        { at: ["chat.tools.autoApprove"], undoes: "asks", unless: [false] },
      ],
    },
  ],
  start: ({ role }) => ({ byHand: `open the project in VS Code and choose the agent \`${role}\`` }),
  emit,
};

const spelling: Spelling = {
  plain: (name) => `\${env:${name}}`,
  places: ["url", "headers", "env", "command", "cwd"],
  taken: /\$\{/,
};

function* emit({ roles }: FittedPlan<HostFacts, SpeltTransport>): Iterable<Artifact> {
  const servers = new Map(roles.flatMap((role) => role.servers.map((one) => [one.server.name, one] as const)));
  yield {
    path: ".vscode/mcp.json",
    format: "json",
    keys: [...servers].map(([name, server]) => ({
      at: ["servers", name],
      value: serverEntry(server.told) as JsonValue,
    })),
  };
  for (const role of roles)
    yield { path: `.github/agents/${role.name}.vscode.agent.md`, format: "front-matter", keys: keysOf(role) };
}

function keysOf(role: FittedRole): ManagedKey[] {
  return [
    { at: ["name"], value: role.name },
    { at: ["target"], value: "vscode" },
    { at: ["tools"], value: toolsOf(role) },
    { at: ["agents"], value: [...role.delegates] },
    { at: ["description"], value: visible(role.role.description ?? `Works as ${role.name}.`) },
    ...promptKey(role),
  ];
}

/** Left out, the list would give every tool. */
function toolsOf({ builtins, servers, delegates }: FittedRole): string[] {
  const own = builtins === undefined || builtins.includes("*") ? BUILT_IN : builtins;
  const handOver = delegates.length > 0 ? ["agent"] : [];
  return [...own, ...handOver, ...servers.flatMap(({ tools }) => tools.map(({ joined }) => joined))];
}

function serverEntry(told: SpeltTransport): object {
  if (told.kind !== "stdio") return present({ type: told.kind, url: told.url, headers: mapOf(told.headers) });
  const [command, ...args] = told.command;
  return present({ type: "stdio", command, args, env: mapOf(told.env), cwd: told.cwd });
}
