import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import { copilotCli } from "./copilot-cli/index.ts";
import { cursor } from "./cursor/index.ts";
import type { Host } from "./fitting/types.ts";
import { geminiCli } from "./gemini-cli/index.ts";
import { mcpServers } from "./mcp-servers/index.ts";
import { opencode } from "./opencode/index.ts";
import { vscode } from "./vscode/index.ts";

/** Every host. A new one is a folder, a line here and one in 2-model/hosts.ts. */
export const allHosts: readonly Host[] = [
  claudeCode,
  codex,
  copilotCli,
  cursor,
  geminiCli,
  mcpServers,
  opencode,
  vscode,
];
