import { claudeAgentSdk } from "./claude-agent-sdk.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { copilotSdk } from "./copilot-sdk.ts";
import { geminiCli } from "./gemini-cli.ts";
import type { Host } from "./host.ts";
import { opencode } from "./opencode.ts";

export const HOSTS: readonly Host[] = [copilotSdk, claudeCode, claudeAgentSdk, opencode, codex, geminiCli];
