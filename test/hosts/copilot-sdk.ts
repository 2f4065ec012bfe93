import { writeFileSync } from "node:fs";
import path from "node:path";
import { runApp } from "./app.ts";
import { surroundings } from "./host.ts";
import type { Host, Place } from "./host.ts";

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
  isOurs: (name) => name.startsWith(`${PERSONS}-`),
  start(place, { role, prompt }) {
    writeFileSync(path.join(place.home, "mcp-config.json"), personsServers(place));
    return runApp(place, "copilot-sdk", surroundings(place, { MODEL_URL: place.modelUrl, ROLE: role, PROMPT: prompt }));
  },
};

/** It is started beside the role's, and no tool of it may be offered. */
const PERSONS = "persons-own";

function personsServers(place: Place): string {
  const args = [path.join(place.folder, "servers", "fixture-server.mjs"), PERSONS];
  return JSON.stringify({ mcpServers: { [PERSONS]: { type: "local", command: "node", args, tools: ["*"] } } });
}
