import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runBounded } from "./bounded-process.ts";
import { surroundings } from "./host.ts";
import type { Host } from "./host.ts";

export const geminiCli: Host = {
  id: "gemini-cli",
  packages: { "@google/gemini-cli": "0.61.0" },
  asks: "asked",
  askedShows: true,
  conditions: "left-out",
  resources: "closed",
  shown: ({ server, tool }) => `mcp_${server}_${tool}`,
  readResource: (server) => [
    { name: "list_mcp_resources", args: { serverName: server } },
    { name: "read_mcp_resource", args: { uri: `note://${server}/one` } },
  ],
  handOver: (agent, prompt) => ({ name: "invoke_agent", args: { agent_name: agent, prompt } }),
  ownAgents: ["generalist", "codebase_investigator", "cli_help"],
  delegation: "closed",
  rolesByName: true,
  start(place, { role, filesOf, prompt }) {
    const ofRole = (name: string, file: string) => path.join("mcp", "hosts", "gemini-cli", name, file);
    const servers = path.join(place.folder, ofRole(filesOf, "servers.txt"));
    // As `$(cat ...)` says it.
    const names = existsSync(servers) ? readFileSync(servers, "utf8").trim() : "";
    const chosen = ["--policy", ofRole(role, "policy.toml"), "--allowed-mcp-server-names", names];
    mkdirSync(path.join(place.home, ".gemini"));
    writeFileSync(path.join(place.home, ".gemini", "settings.json"), JSON.stringify(USER));
    return runBounded({
      file: path.join(place.packages, "node_modules", ".bin", "gemini"),
      // The mode that allows most: what the files say has to hold there too.
      args: [...chosen, "-p", prompt, "-m", "gemini-2.5-flash", "--approval-mode", "yolo"],
      cwd: place.folder,
      env: surroundings(place, {
        GEMINI_API_KEY: "mock",
        ROLECALL_ROLE: role,
        GOOGLE_GEMINI_BASE_URL: place.modelUrl,
        GEMINI_CLI_HOME: place.home,
        GEMINI_CLI_NO_RELAUNCH: "true",
        GEMINI_CLI_TRUST_WORKSPACE: "true",
      }),
      timeoutMs: place.timeoutMs,
    });
  },
};

/** `tools`: what opens every tool where nothing stands above it. */
const USER = {
  tools: { allowed: ["*"] },
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
};
