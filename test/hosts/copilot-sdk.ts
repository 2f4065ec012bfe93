import { runApp } from "./app.ts";
import { surroundings } from "./host.ts";
import type { Host } from "./host.ts";

export const copilotSdk: Host = {
  id: "copilot-sdk",
  packages: { "@github/copilot-sdk": "1.0.14" },
  asks: "asked",
  askedShows: true,
  conditions: "held",
  keeps: ["github-mcp-server"],
  resources: "none",
  shown: ({ server, tool }) => `${server}-${tool.replaceAll(/[^a-zA-Z0-9_-]/g, "-")}`,
  // None were ever offered; these are the names that other hosts use.
  readResource: (server) => [
    { name: "read_mcp_resource", args: { server, uri: `note://${server}/one` } },
    { name: `${server}-read_resource`, args: { uri: `note://${server}/one` } },
  ],
  handOver: (agent, prompt) => ({
    name: "task",
    args: { agent_type: agent, name: "probe", description: "probe", prompt, mode: "sync" },
  }),
  ownAgents: ["general-purpose", "explore"],
  delegation: "closed",
  rolesByName: false,
  start: (place, { role, prompt }) =>
    runApp(place, "copilot-sdk", surroundings(place, { MODEL_URL: place.modelUrl, ROLE: role, PROMPT: prompt })),
};
