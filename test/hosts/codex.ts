import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runBounded } from "./bounded-process.ts";
import { surroundings } from "./host.ts";
import type { Host, Place } from "./host.ts";

export const codex: Host = {
  id: "codex",
  packages: { "@openai/codex": "0.169.0" },
  asks: "asked",
  askedShows: true,
  conditions: "left-out",
  keeps: ["codex_apps"],
  resources: "left-out",
  shown: ({ server, tool }) => `mcp__${server.replaceAll("-", "_")}::${tool.replaceAll(/[^a-zA-Z0-9_]/g, "_")}`,
  readResource: (server) => [
    { name: "list_mcp_resources", args: { server } },
    { name: "read_mcp_resource", args: { server, uri: `note://${server}/one` } },
  ],
  handOver: (agent, message) => ({ name: "multi_agent_v1::spawn_agent", args: { message, agent_type: agent } }),
  ownAgents: ["default", "worker", "explorer"],
  delegation: "closed",
  rolesByName: false,
  start(place, { role, filesOf, prompt }) {
    const codexHome = path.join(place.home, ".codex");
    mkdirSync(codexHome, { recursive: true });
    const profile = path.join(place.folder, "mcp", "hosts", "codex", `${filesOf}.config.toml`);
    const ours = existsSync(profile) ? readFileSync(profile, "utf8") : "";
    writeFileSync(path.join(codexHome, "config.toml"), model(place) + elsewhere(place, ours));
    if (existsSync(profile)) copyFileSync(profile, path.join(codexHome, `harbor-${filesOf}.config.toml`));
    return runBounded({
      file: path.join(place.packages, "node_modules", ".bin", "codex"),
      // A key that it doesn't know ends it, so each file is checked against the host's own schema.
      args: ["exec", "--strict-config", "--skip-git-repo-check", "--profile", `harbor-${role}`, prompt],
      cwd: place.folder,
      env: surroundings(place, { CODEX_HOME: codexHome, MOCK_KEY: "mock" }),
      timeoutMs: place.timeoutMs,
    });
  },
};

/** The person's own servers of our names, elsewhere: what the profile leaves open would be filled from here. */
const elsewhere = (place: Place, profile: string) =>
  [...profile.matchAll(/^\[(mcp_servers\."[^"]+")\]$/gm)]
    .map(([, table]) => `[${table}]\ncommand = "nobody"\ncwd = ${JSON.stringify(place.home)}\n`)
    .join("");

const model = (place: Place) => `model = "mock-model"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = ${JSON.stringify(`${place.modelUrl}/v1`)}
wire_api = "responses"
env_key = "MOCK_KEY"
[projects.${JSON.stringify(place.folder)}]
trust_level = "trusted"
`;
