import type { SettingsBeside } from "../narrowing.ts";
import { leaveAgentsList, leaveOthers } from "../rules.ts";
import { shown } from "../shown-names.ts";

/** A repository's settings of Copilot, and agents that have some of a server's tools. */
export const copilotSettings: SettingsBeside = {
  program: "Copilot",
  files: [".github/copilot/settings.json", ".github/copilot/settings.local.json", ".github/agents/**/*.md"],
  read: (all, made) => {
    for (const one of all)
      if (one.file.endsWith(".md"))
        leaveAgentsList(one, (name) => made.servers.some((server) => isOf(name, server)), made);
      else leaveOthers(one, [], made);
  },
};

/** `server/tool` and `server-tool`. */
function isOf(name: string, server: string): boolean {
  return name.startsWith(`${server}/`) || name.startsWith(`${shown(server, "-")}-`);
}
