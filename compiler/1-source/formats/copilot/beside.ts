import { byBeginning } from "../by-beginning.ts";
import type { SettingsBeside } from "../narrowing.ts";
import { leaveAgentsList, leaveOthers } from "../rules.ts";
import { shown } from "../shown-names.ts";

/** A repository's settings of Copilot, and agents that have some of a server's tools. */
export const copilotSettings: SettingsBeside = {
  program: "Copilot",
  files: [".github/copilot/settings.json", ".github/copilot/settings.local.json", ".github/agents/**/*.md"],
  read: (all, made) => {
    // `server/tool` and `server-tool`.
    const heads = byBeginning(made.servers.flatMap((server) => [`${server}/`, `${shown(server, "-")}-`]));
    for (const one of all)
      if (one.file.endsWith(".md")) leaveAgentsList(one, (name) => heads.beginningsOf(name).length > 0, made);
      else leaveOthers(one, [], made);
  },
};
