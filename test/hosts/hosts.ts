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
  claudeCode,
  served(claudeCode),
  partlyServed(claudeCode),
  claudeAgentSdk,
  opencode,
  codex,
  geminiCli,
];
