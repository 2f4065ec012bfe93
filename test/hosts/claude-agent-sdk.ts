import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runApp } from "./app.ts";
import { CLAUDE, claudeSurroundings } from "./claude-code.ts";
import type { Host } from "./host.ts";

export const claudeAgentSdk: Host = {
  ...CLAUDE,
  id: "claude-agent-sdk",
  packages: {
    "@anthropic-ai/claude-agent-sdk": "0.3.326",
    "@anthropic-ai/sdk": "1.10.0",
    "@modelcontextprotocol/sdk": "1.32.2",
    zod: "4.6.7",
  },
  conditions: "held",
  keeps: ["workspace"],
  delegation: "closed",
  rolesByName: false,
  start(place, { role, prompt }) {
    // Claude Code's agent of the same name, as projects with both hosts have it.
    const agents = path.join(place.folder, ".claude", "agents");
    mkdirSync(agents, { recursive: true });
    writeFileSync(path.join(agents, `${role}.md`), `---\nname: ${role}\ndescription: another\n---\nAnother prompt.\n`);
    return runApp(place, "claude-agent-sdk", { ...claudeSurroundings(place), ROLE: role, PROMPT: prompt });
  },
};
