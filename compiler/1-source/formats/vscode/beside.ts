import { isObject, type JsonObject } from "../../../base/json.ts";
import type { SettingsBeside, FoundSettings, Narrowing } from "../narrowing.ts";
import { NOT_HELD } from "../passed-by.ts";
import { leaveAgentsList, leaveOthers } from "../rules.ts";

/** The workspace's settings, of which few are about servers, and agents that have some of their tools. */
export const vscodeSettings: SettingsBeside = {
  program: "VS Code",
  files: [".vscode/settings.json", ".github/agents/**/*.md", ".github/chatmodes/**/*.md"],
  read: (all, made) => {
    for (const one of all)
      if (one.file.endsWith(".md"))
        leaveAgentsList(one, (name) => made.servers.some((server) => isOf(name, server)), made);
      else readSettings(one, made);
  },
};

function isOf(name: string, server: string): boolean {
  return name === server || name.startsWith(`${server}/`);
}

const ACCESS = "chat.mcp.access";
const ENABLED = "chat.mcp.enabled";

function readSettings({ file, value }: FoundSettings, made: Narrowing): void {
  const off = value[ENABLED] === false ? ENABLED : value[ACCESS] === "none" ? ACCESS : undefined;
  if (off !== undefined) for (const server of made.servers) made.putAway(server, { file, path: [off] });
  else if (value[ACCESS] !== undefined && value[ACCESS] !== "all" && value[ACCESS] !== true)
    made.leave({ file, path: [ACCESS] }, `\`${ACCESS}\``, NOT_HELD);
  leaveOthers({ file, value: aboutChats(value) }, [ACCESS, ENABLED], made);
}

/** Where further servers are found, which models they may ask, its own tools, and its other command line. */
const OTHERS =
  /^(?:chat\.tools\.(?:terminal|edits|urls)|chat\.mcp\.(?:apps|assisted|autostart|discovery|gallery|serverSampling)|github\.copilot\.chat\.cli)\b/;

/** Extensions have servers of their own, which are no MCP servers. */
function aboutChats(value: JsonObject): JsonObject {
  const entries = Object.entries(value).filter(
    ([key]) => /^(?:chat|mcp|github\.copilot)\b/.test(key) && !OTHERS.test(key),
  );
  const old = value["mcp"];
  return Object.fromEntries(entries.filter(([key]) => key !== "mcp" || isObject(old)));
}
