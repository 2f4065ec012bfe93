import { adk } from "./adk/index.ts";
import { agentgateway } from "./agentgateway/index.ts";
import { air } from "./air/index.ts";
import { aiSdk } from "./ai-sdk/index.ts";
import { claudeAgentSdk } from "./claude-agent-sdk/index.ts";
import { claudeCode } from "./claude-code/index.ts";
import { claudeDesktop } from "./claude-desktop/index.ts";
import { codex } from "./codex/index.ts";
import { copilotCli } from "./copilot-cli/index.ts";
import { copilotSdk } from "./copilot-sdk/index.ts";
import { cursor } from "./cursor/index.ts";
import type { Host } from "../target.ts";
import { envoyAiGateway } from "./envoy-ai-gateway/index.ts";
import { geminiCli } from "./gemini-cli/index.ts";
import { jetbrains } from "./jetbrains/index.ts";
import { junie } from "./junie/index.ts";
import { mcpServers } from "./mcp-servers/index.ts";
import { openaiAgents } from "./openai-agents/index.ts";
import { opencode } from "./opencode/index.ts";
import { postgres } from "./postgres/index.ts";
import type { RuntimeFile } from "../runtime-file.ts";
import { vscode } from "./vscode/index.ts";

/** Every host, sorted. A new one is a folder and a line here. `runtime`: what those in the same process run on. */
export function allHosts(runtime: readonly RuntimeFile[]): readonly Host[] {
  return [
    adk(runtime),
    agentgateway,
    aiSdk(runtime),
    air,
    claudeAgentSdk(runtime),
    claudeCode,
    claudeDesktop,
    codex,
    copilotCli,
    copilotSdk(runtime),
    cursor,
    envoyAiGateway,
    geminiCli,
    jetbrains,
    junie,
    mcpServers,
    openaiAgents(runtime),
    opencode,
    postgres,
    vscode,
  ];
}
