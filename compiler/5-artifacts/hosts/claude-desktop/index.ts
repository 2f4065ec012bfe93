import { keptNames } from "../../../4-fit/kept-names.ts";
import { spellTransport, type SpeltTransport } from "../../../4-fit/spelling.ts";
import type { Host } from "../../target.ts";
import { NO_REFERENCES, SERVED_ALONE } from "../served-alone.ts";

/**
 * Its one file lies in a person's own folder, for all projects, and it starts nothing in a project's folder. So no build
 * writes for it: `rolecall start` puts an entry there, with paths of the machine.
 */
export const claudeDesktop: Host<SpeltTransport> = {
  id: "claude-desktop",
  title: "Claude Desktop",
  alsoCalled: ["claude-app", "desktop"],
  gateway: "must",
  isEditor: true,
  abilities: SERVED_ALONE,
  kept: keptNames("Claude Desktop's pages of 2026", {}),
  joinedName: (server, tool) => `${server}.${tool}`,
  tell: (transport, choice) => spellTransport(transport, NO_REFERENCES, choice),
  start: ({ role, project }) => ({
    entry: {
      file: "claude_desktop_config.json",
      folders: {
        darwin: ["HOME", "Library/Application Support/Claude"],
        win32: ["APPDATA", "Claude"],
        others: ["HOME", ".config/Claude"],
      },
      key: "mcpServers",
      name: `rolecall-${project}`,
      args: ["serve", "--role", role, "--host", "claude-desktop"],
      then: "quit Claude Desktop, and open it again",
    },
  }),
  emit: () => [],
};
