import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Host } from "../host.ts";
import type { Plan } from "../plan.ts";
import * as claudeAgentSdk from "./claude-agent-sdk.ts";
import * as claudeCode from "./claude-code.ts";
import * as codex from "./codex.ts";
import * as copilotSdk from "./copilot-sdk.ts";
import * as geminiCli from "./gemini-cli.ts";
import * as opencode from "./opencode.ts";
import type { Files } from "./parts.ts";

const MAKERS: Readonly<Record<string, { byHand(host: Host, plan: Plan): Files }>> = {
  "copilot-sdk": copilotSdk,
  "claude-code": claudeCode,
  "claude-agent-sdk": claudeAgentSdk,
  opencode,
  codex,
  "gemini-cli": geminiCli,
};

export function writeByHand(host: Host, plan: Plan, project: string): void {
  for (const [name, text] of Object.entries(MAKERS[host.id]?.byHand(host, plan) ?? {})) {
    const file = path.join(project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
