import { ownTools } from "../../../4-fit/own-tools.ts";

/** A rule is about what a tool is held under: one on `write` alone is about nothing, and gives nothing. */
export const OWN_TOOLS = ownTools(
  {
    seenIn: "opencode-ai 1.18.33",
    shells: ["bash"],
    varies: "where they are switched on (`lsp`, `question`, `websearch`), from plugins and in newer versions",
    under: new Map([
      ["apply_patch", "edit"],
      ["write", "edit"],
    ]),
  },
  {
    runs: "bash",
    writes: "edit",
    "reaches out": "webfetch websearch",
    reads: "read grep glob lsp skill",
    keeps: "question todowrite",
    "hands work on": "task",
    "reads resources": "list_mcp_resource_templates list_mcp_resources read_mcp_resource",
  },
);
