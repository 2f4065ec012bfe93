import type { JsonValue } from "../../../base/json.ts";
import { visible } from "../../../base/visible.ts";
import { COPILOT_NAMES } from "../copilot-names.ts";
import { githubAgents } from "../github-agents.ts";
import { LISTED_APART, mapOf, present, sanitised } from "../host-text.ts";
import { agentFiles } from "../left-places.ts";
import { promptKey } from "../prompt-key.ts";
import { spellTransport, type Spelling, type SpeltTransport } from "../../../4-fit/spelling.ts";
import type { FittedPlan, FittedRole, FittedServer, HostFacts } from "../../../4-fit/types.ts";
import type { MergedFile, MergedIn } from "../../../4-fit/merged-place.ts";
import type { Host } from "../../target.ts";
import type { Artifact, ManagedKey } from "../../types.ts";
import { BUILT_IN, OWN_TOOLS } from "./own-tools.ts";

const OF_PERSON = { variable: "COPILOT_HOME", otherwise: ".copilot" };

/**
 * An agent file for each role that brings its own servers, with exact tools. Nothing is written to `.mcp.json`: a server
 * there would win over the narrower one of the agent, and other programs would load it with every tool.
 */
export const copilotCli: Host<SpeltTransport> = {
  id: "copilot-cli",
  title: "Copilot CLI",
  alsoCalled: ["copilot", "github-copilot"],
  signs: { files: [".copilot", ".github/agents"] },
  places: {
    shared: [".github/agents"],
    agents: ".github/agents",
    keyed: [
      {
        file: /^\.github\/agents\/[^/]+\.agent\.md$/,
        format: "front-matter",
        keys: /^(?:|name|description|tools|mcp-servers|target)$/,
        written: ".github/agents/*.agent.md",
      },
      { file: /^(?:\.mcp|\.github\/mcp)\.json$/, format: "json", keys: /^mcpServers\/[^/]+$/ },
    ],
  },
  gateway: "may",
  served: { together: true },
  program: "copilot",
  abilities: {
    hide: { holds: "enforced" },
    ask: { holds: "asked", but: "`--allow-all-tools` answers every question with yes" },
    conditions: { holds: "none" },
    resources: { holds: "enforced" },
    delegation: { holds: "enforced" },
    builtins: { holds: "enforced" },
    references: { holds: "enforced", but: "an unset variable stays as it is written" },
    pins: { holds: "none", but: "it never compares definitions: run `rolecall capture --check`" },
    limits: {
      holds: "enforced",
      but: "the time-out alone, and no server that is silent: it waits for it before it begins",
    },
    roles: true,
    filtersByName: false,
    longestName: 64,
    splitsNames: LISTED_APART,
  },
  ownTools: OWN_TOOLS,
  kept: COPILOT_NAMES,
  joinedName: (server, tool) => `${sanitised(server, "-")}-${sanitised(tool, "-")}`,
  tell: (transport, choice) =>
    transport.kind === "stdio" && transport.cwd !== undefined
      ? { problem: "has no `cwd` for a server of an agent" }
      : spellTransport(transport, spelling, choice),
  leftPlaces: (fitted) => [
    agentFiles(
      {
        folder: ".github/agents",
        ending: ".agent.md",
        keys: ["name", "description", "target", "tools", "mcp-servers"],
      },
      fitted,
    ),
  ],
  // A server there wins over the narrower one of an agent, with every tool.
  merges: [
    ...[".mcp.json", ".github/mcp.json"].map((file) => servers("project", file)),
    servers(OF_PERSON, "mcp-config.json"),
    ...githubAgents(OF_PERSON),
  ],
  start: ({ role }) => ({ run: { args: ["--agent", role] } }),
  emit,
};

function servers(where: MergedIn, file: string): MergedFile {
  return { in: where, file, names: [{ of: "servers", at: ["mcpServers"] }] };
}

/** A reference in a URL stays as it is written there. */
const spelling: Spelling = {
  plain: (name) => `\${${name}}`,
  withDefault: (name, text) => `\${${name}:-${text}}`,
  places: ["headers", "env", "command"],
  taken: /\$[A-Za-z_{]/,
};

function* emit({ roles }: FittedPlan<HostFacts, SpeltTransport>): Iterable<Artifact> {
  for (const role of roles)
    yield { path: `.github/agents/${role.name}.agent.md`, format: "front-matter", keys: keysOf(role) };
}

function keysOf(role: FittedRole<SpeltTransport>): ManagedKey[] {
  const servers = role.servers.map((server) => [server.server.name, serverEntry(server)] as const);
  return [
    { at: ["name"], value: role.name },
    { at: ["target"], value: "github-copilot" },
    { at: ["tools"], value: toolsOf(role) },
    { at: ["mcp-servers"], value: Object.fromEntries(servers) as JsonValue },
    { at: ["description"], value: visible(role.role.description ?? `Works as ${role.name}.`) },
    ...promptKey(role),
  ];
}

/** `server-tool`, never `server/tool`: `github/...` is Copilot's own server. Without `task` no work is handed over. */
function toolsOf({ builtins, servers }: FittedRole): string[] {
  const own = builtins === undefined || builtins.includes("*") ? BUILT_IN : builtins;
  return [...own, ...servers.flatMap(({ tools }) => tools.map(({ joined }) => joined))];
}

function serverEntry({ server, told, tools }: FittedServer<SpeltTransport>): object {
  const rest = { tools: tools.map(({ tool }) => tool.name), timeout: server.limits.timeoutMs };
  if (told.kind !== "stdio") return present({ type: told.kind, url: told.url, headers: mapOf(told.headers), ...rest });
  const [command, ...args] = told.command;
  return present({ type: "stdio", command, args, env: mapOf(told.env), ...rest });
}
