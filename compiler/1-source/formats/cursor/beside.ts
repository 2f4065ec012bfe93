import type { SettingsBeside } from "../narrowing.ts";
import { NOT_HELD } from "../passed-by.ts";
import { leaveOthers, textsAt } from "../rules.ts";

/** What Cursor's command line may not call. What it may without a question opens nothing here. */
export const cursorSettings: SettingsBeside = {
  program: "Cursor",
  files: [".cursor/cli.json"],
  read: (all, made) => {
    for (const one of all) {
      for (const [rule, path] of textsAt(one, ["permissions", "deny"], made)) {
        if (!/^mcp\b/i.test(rule)) continue;
        const written = { file: one.file, path };
        const [server, tool] = (/^mcp\(([^,:]*)(?:[,:](.*))?\)$/i.exec(rule) ?? []).slice(1).map((one) => one?.trim());
        if (server === undefined || (server.includes("*") && server !== "*"))
          made.leave(written, `\`${rule}\``, NOT_HELD);
        else
          for (const theirs of made.servers.filter((name) => server === "*" || name === server))
            if (tool === undefined || /^\**$/.test(tool)) made.putAway(theirs, written);
            else made.exclude(theirs, tool, written, server === "*");
      }
      leaveOthers(one, ["permissions"], made);
    }
  },
};
