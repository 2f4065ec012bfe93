import { visible } from "../../../base/visible.ts";
import { mapOf, present } from "../host-text.ts";
import { openServers, writtenSecrets } from "../left-places.ts";
import { promptKey } from "../prompt-key.ts";
import type { MergedFile, MergedIn, SettingAt } from "../../../4-fit/merged-place.ts";
import { spellTransport, type Spelling, type SpeltTransport } from "../../../4-fit/spelling.ts";
import type { FittedPlan, FittedRole, FittedTool, HostFacts } from "../../../4-fit/types.ts";
import type { Host } from "../../target.ts";
import type { Artifact, ManagedKey } from "../../types.ts";
import type { JsonValue } from "../../../base/json.ts";
import { KEPT } from "./kept-names.ts";
import { OWN_TOOLS } from "./own-tools.ts";

const LISTS = [{ at: ["mcpAllowlist"] }, { at: ["autoRun"] }];

/**
 * One set of files for whoever works in the editor, and no way to hide a tool there: a server comes along only when the
 * role holds every tool of it.
 */
export const cursor: Host<SpeltTransport> = {
  id: "cursor",
  title: "Cursor",
  alsoCalled: ["cursor-agent"],
  signs: { files: [".cursor"] },
  places: {
    shared: [".cursor"],
    agents: ".cursor/rules",
    keyed: [
      {
        file: /^\.cursor\/rules\/[^/]+\.mdc$/,
        format: "front-matter",
        keys: /^(?:|description|alwaysApply)$/,
        written: ".cursor/rules/*.mdc",
      },
      {
        file: /^\.cursor\/mcp\.json$/,
        format: "json",
        keys: /^mcpServers\/[^/]+$/,
        holdsServers: true,
        written: ".cursor/mcp.json",
      },
      { file: /^\.cursor\/cli\.json$/, format: "json", keys: /^permissions\/allow$/, written: ".cursor/cli.json" },
    ],
  },
  gateway: "may",
  program: "cursor-agent",
  isEditor: true,
  abilities: {
    hide: { holds: "none", but: "a server is given whole or not at all" },
    ask: { holds: "asked", but: "the editor's auto-run answers with yes" },
    conditions: { holds: "none" },
    resources: { holds: "none" },
    delegation: { holds: "enforced", but: "it knows no roles" },
    builtins: { holds: "none" },
    references: { holds: "enforced", but: "an unset variable becomes empty" },
    pins: { holds: "none", but: "it never compares definitions: run `rolecall capture --check`" },
    limits: { holds: "none", but: "held by rolecall's runtime alone" },
    roles: false,
    filtersByName: false,
    longestName: undefined,
  },
  ownTools: OWN_TOOLS,
  kept: KEPT,
  joinedName: (server, tool) => `${server}.${tool}`,
  tell: (transport, choice) =>
    transport.kind === "stdio" && transport.cwd !== undefined
      ? { problem: "has no `cwd` for a server" }
      : spellTransport(transport, spelling, choice),
  merges: [
    { in: "project", file: ".cursor/mcp.json", names: [{ of: "servers", at: ["mcpServers"], isOpen: true }] },
    ...unasked("above", ".cursor/cli.json", [{ at: ["permissions", "allow"] }]),
    ...unasked("project", ".cursor/permissions.json", LISTS),
    ...unasked({ otherwise: ".cursor" }, "permissions.json", LISTS),
    ...unasked({ otherwise: ".cursor" }, "cli-config.json", [{ at: ["approvalMode"], unless: ["allowlist"] }]),
  ],
  start: () => ({ run: { args: [] }, byHand: "open the project in Cursor" }),
  leftPlaces: (fitted) => [
    writtenSecrets({ file: ".cursor/mcp.json", key: "mcpServers" }, fitted),
    ...openServers(
      { file: ".cursor/mcp.json", key: "mcpServers" },
      fitted as FittedPlan<HostFacts, SpeltTransport>,
      serverEntry,
    ),
  ],
  emit,
};

/** What runs without a question beside what the build lists, as its pages have it. */
function unasked(where: MergedIn, file: string, settings: readonly Omit<SettingAt, "undoes">[]): MergedFile[] {
  return [{ in: where, file, names: [], settings: settings.map((one) => ({ ...one, undoes: "asks" })) }];
}

const spelling: Spelling = {
  plain: (name) => `\${env:${name}}`,
  places: ["url", "headers", "env", "command"],
  taken: /\$\{/,
};

function* emit({ roles }: FittedPlan<HostFacts, SpeltTransport>): Iterable<Artifact> {
  for (const role of roles) {
    const keys = ruleKeys(role);
    if (keys.length > 0) yield { path: `.cursor/rules/${role.name}.mdc`, format: "front-matter", keys };
  }
  const servers = roles.flatMap((role) => role.servers);
  if (servers.length === 0) return;
  const entries = servers.map((server) => ({
    at: ["mcpServers", server.server.name],
    value: serverEntry(server.told) as JsonValue,
  }));
  const allowed = servers.flatMap(({ server, tools }) =>
    tools.filter(isPlainlyAllowed).map(({ tool }) => `Mcp(${server.name}, ${tool.name})`),
  );
  yield { path: ".cursor/mcp.json", format: "json", keys: entries };
  yield { path: ".cursor/cli.json", format: "json", keys: [{ at: ["permissions", "allow"], value: allowed }] };
}

/** A rule that always holds: the editor knows no agents whose instructions it could be. */
function ruleKeys(fitted: FittedRole): ManagedKey[] {
  const told = promptKey(fitted);
  if (told.length === 0) return [];
  const description = visible(fitted.role.description ?? `Works as ${fitted.name}.`);
  return [{ at: ["description"], value: description }, { at: ["alwaysApply"], value: true }, ...told];
}

/** A name with a pattern in it, or with a space that is trimmed away, would answer for other tools too: those are asked. */
function isPlainlyAllowed({ tool, effect }: FittedTool): boolean {
  return effect === "allow" && /^[\w.-]+$/.test(tool.name);
}

function serverEntry(told: SpeltTransport): object {
  if (told.kind !== "stdio") return present({ url: told.url, headers: mapOf(told.headers) });
  const [command, ...args] = told.command;
  return present({ command, args, env: mapOf(told.env) });
}
