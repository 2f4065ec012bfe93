import type { FittedPlan, FittedRole, HostFacts } from "../../../4-fit/types.ts";
import type { Host } from "../../target.ts";
import { CLAUDE_NAMES } from "../claude-names.ts";
import { CLAUDE_TOOLS } from "../claude-tools.ts";
import type { MergedFile } from "../../../4-fit/merged-place.ts";
import { reachable } from "../../../4-fit/delegation.ts";
import { jsonText, sanitised } from "../host-text.ts";
import { agentFiles, writtenSecrets } from "../left-places.ts";
import { spellTransport, type SpeltTransport } from "../../../4-fit/spelling.ts";
import type { Artifact } from "../../types.ts";
import { agentKeys } from "./agent.ts";
import { serverEntry, spelling } from "./servers.ts";
import { settings } from "./settings.ts";

const OF_PERSON = { variable: "CLAUDE_CONFIG_DIR", otherwise: ".claude" };

/**
 * An agent file with an exact list of tools, and beside it the role's servers and settings. The list hides everything
 * else, also from the main thread; settings alone would leave tools visible.
 */
export const claudeCode: Host<SpeltTransport> = {
  id: "claude-code",
  title: "Claude Code",
  alsoCalled: ["claude", "claudecode"],
  signs: { files: [".claude", ".mcp.json", "CLAUDE.md"] },
  places: {
    shared: [".claude/agents", ".mcp.json"],
    agents: ".claude/agents",
    bare: ["*.mcp.json", "*.settings.json"],
    keyed: [
      {
        file: /^\.claude\/agents\/[^/]+\.md$/,
        format: "front-matter",
        keys: /^(?:|name|description|tools)$/,
        written: ".claude/agents/*.md",
      },
      { file: /^\.mcp\.json$/, format: "json", keys: /^mcpServers\/[^/]+$/ },
    ],
  },
  gateway: "may",
  served: { comesAgain: true },
  program: "claude",
  handsOver: true,
  abilities: {
    hide: { holds: "enforced" },
    ask: { holds: "asked", but: "with `-p` what is asked is refused" },
    conditions: { holds: "none" },
    resources: { holds: "enforced" },
    delegation: { holds: "enforced" },
    builtins: { holds: "enforced" },
    references: { holds: "enforced", but: "an unset variable stays as it is written" },
    pins: { holds: "none", but: "it never compares definitions: run `rolecall capture --check`" },
    limits: { holds: "enforced", but: "the time-out alone" },
    roles: true,
    filtersByName: true,
    longestName: undefined,
  },
  ownTools: CLAUDE_TOOLS,
  kept: CLAUDE_NAMES,
  joinedName: (server, tool) => `mcp__${sanitised(server, "_")}__${sanitised(tool, "_")}`,
  tell: (transport, choice) =>
    transport.kind === "stdio" && transport.cwd !== undefined
      ? { problem: "starts every server in the project's own folder: there is no `cwd`" }
      : spellTransport(transport, spelling, choice),
  leftPlaces: (fitted) => [
    writtenSecrets({ file: ".mcp.json", key: "mcpServers" }, fitted),
    agentFiles({ folder: ".claude/agents", ending: ".md", keys: ["name", "description", "tools"] }, fitted),
  ],
  // Agents are known by their name, and of two the one whose file comes first counts: those of folders above and of a
  // person's own stand behind the project's.
  merges: [
    { in: "project", folder: ".claude/agents" },
    settingsFile("project", ".claude/settings.json"),
    settingsFile("local", ".claude/settings.local.json"),
    { in: OF_PERSON, file: "settings.json", names: [{ of: "own variables", at: ["env"] }] },
  ],
  start: ({ role, folder }) => {
    const files = `${folder}/hosts/claude-code/${role}`;
    const servers = ["--strict-mcp-config", "--mcp-config", `${files}.mcp.json`];
    return { run: { args: ["--agent", role, ...servers, "--settings", `${files}.settings.json`] } };
  },
  emit,
};

/** Such a hook answers in place of a person; one before a call can't lift a question. */
function settingsFile(where: "project" | "local", file: string): MergedFile {
  return {
    in: where,
    file,
    names: [{ of: "variables", at: ["env"] }],
    settings: [{ at: ["hooks", "PermissionRequest"], undoes: "asks" }],
  };
}

function* emit(fitted: FittedPlan<HostFacts, SpeltTransport>): Iterable<Artifact> {
  const { plan } = fitted;
  for (const role of fitted.roles) {
    const folder = `${plan.project.folder}/hosts/claude-code/${role.name}`;
    yield { path: `.claude/agents/${role.name}.md`, format: "front-matter", keys: agentKeys(role) };
    yield { path: `${folder}.mcp.json`, text: jsonText({ mcpServers: serversOf(role) }) };
    yield { path: `${folder}.settings.json`, text: jsonText(settings(reachable(role, fitted), fitted.host)) };
  }

  function serversOf(role: FittedRole<SpeltTransport>): Record<string, object> {
    const servers = reachable(role, fitted).flatMap((reached) => reached.servers);
    return Object.fromEntries(servers.map((one) => [one.server.name, serverEntry(one)]));
  }
}
