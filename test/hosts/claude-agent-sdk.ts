import { runApp } from "./app.ts";
import { claudeCode, claudeSurroundings } from "./claude-code.ts";
import type { Host } from "./host.ts";

export const claudeAgentSdk: Host = {
  ...claudeCode,
  id: "claude-agent-sdk",
  packages: {
    "@anthropic-ai/claude-agent-sdk": "0.3.326",
    "@anthropic-ai/sdk": "1.10.0",
    "@modelcontextprotocol/sdk": "1.32.2",
    zod: "4.6.7",
  },
  conditions: "held",
  delegation: "closed",
  rolesByName: false,
  start: (place, { role, prompt }) =>
    runApp(place, "claude-agent-sdk", { ...claudeSurroundings(place), ROLE: role, PROMPT: prompt }),
};
