import { adk } from "./adk/index.ts";
import { aiSdk } from "./ai-sdk/index.ts";
import { claudeAgentSdk } from "./claude-agent-sdk/index.ts";
import { claudeCode } from "./claude-code/index.ts";
import { codex } from "./codex/index.ts";
import { copilotCli } from "./copilot-cli/index.ts";
import { copilotSdk } from "./copilot-sdk/index.ts";
import { cursor } from "./cursor/index.ts";
import type { HostSource } from "./fitting/in-process.ts";
import type { Host } from "./fitting/types.ts";
import { geminiCli } from "./gemini-cli/index.ts";
import { mcpServers } from "./mcp-servers/index.ts";
import { openaiAgents } from "./openai-agents/index.ts";
import { opencode } from "./opencode/index.ts";
import { vscode } from "./vscode/index.ts";

/** Every host, sorted. A new one is a folder, a line here and one in 2-model/hosts.ts. `sources`: files that are copied. */
export function allHosts(sources: readonly HostSource[]): readonly Host[] {
  return [
    adk(sources),
    aiSdk(sources),
    claudeAgentSdk(sources),
    claudeCode,
    codex,
    copilotCli,
    copilotSdk(sources),
    cursor,
    geminiCli,
    mcpServers,
    openaiAgents(sources),
    opencode,
    vscode,
  ];
}
