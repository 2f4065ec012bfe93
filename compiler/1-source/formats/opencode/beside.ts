import { isObject } from "../../../base/json.ts";
import type { SettingsBeside } from "../narrowing.ts";
import { leaveRules } from "./rules.ts";

/** OpenCode's other configuration in the folder, and its agents, with rules as in its own file. */
export const opencodeSettings: SettingsBeside = {
  program: "OpenCode",
  files: [
    "opencode.json",
    "opencode.jsonc",
    ".opencode/opencode.json",
    ".opencode/opencode.jsonc",
    ...["agent", "agents", "mode", "modes"].map((folder) => `.opencode/${folder}/**/*.md`),
  ],
  read: (all, made) => {
    for (const { file, value } of all) {
      const servers = isObject(value["mcp"]) ? value["mcp"] : {};
      for (const server of made.servers) {
        const one = servers[server];
        if (isObject(one) && one["enabled"] === false) made.putAway(server, { file, path: ["mcp", server, "enabled"] });
      }
      leaveRules(value, made.servers, (path, what, help) => made.leave({ file, path }, what, help));
    }
  },
};
