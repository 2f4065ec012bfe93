import { claudeAgentSdk } from "./claude-agent-sdk.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilotSdk } from "./copilot-sdk.ts";
import { geminiCli } from "./gemini-cli.ts";
import type { Host } from "./host.ts";
import { opencode } from "./opencode.ts";
import { partlyServed, served } from "./served.ts";

export const HOSTS: readonly Host[] = [
  copilotSdk,
  served(copilotSdk),
  claudeCode,
  served(claudeCode),
  partlyServed(claudeCode),
  claudeAgentSdk,
  served(claudeAgentSdk),
  opencode,
  served(opencode),
  codex,
  served(codex),
  partlyServed(codex),
  geminiCli,
  served(geminiCli),
];
