import { keptNames } from "../../4-fit/kept-names.ts";

/** The server that it brings, and aliases of tools that are written with a dash, as its names of servers' tools are. */
export const COPILOT_NAMES = keptNames("GitHub's pages of September 2026, @github/copilot 1.0.102", {
  servers: "github-mcp-server",
  tools: "*",
  joined: "custom-agent",
});
