import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Host } from "../host.ts";
import type { Plan } from "../plan.ts";
import { byHand as claudeAgentSdk } from "./claude-agent-sdk.ts";
import { byHand as claudeCode } from "./claude-code.ts";
import { byHand as codex } from "./codex.ts";
import { byHand as copilotSdk } from "./copilot-sdk.ts";
import { byHand as geminiCli } from "./gemini-cli.ts";
import { byHand as opencode } from "./opencode.ts";
import type { Files } from "./parts.ts";

const MAKERS: Readonly<Record<string, (host: Host, plan: Plan) => Files>> = {
  "copilot-sdk": copilotSdk,
  "claude-code": claudeCode,
  "claude-agent-sdk": claudeAgentSdk,
  opencode,
  codex,
  "gemini-cli": geminiCli,
};

export function writeByHand(host: Host, plan: Plan, project: string): void {
  writeFiles(MAKERS[host.id]?.(host, plan) ?? {}, project);
}

export function writeFiles(files: Files, project: string): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(project, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
