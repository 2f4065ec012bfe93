import { claudeDesktop } from "./claude-desktop/index.ts";
import { codex } from "./codex/index.ts";
import { copilotAgent } from "./copilot/agent.ts";
import { copilot } from "./copilot/index.ts";
import { cursor } from "./cursor/index.ts";
import { gemini } from "./gemini/index.ts";
import { junie } from "./junie/index.ts";
import { magsagGovernance } from "./magsag-governance/index.ts";
import { magsagPreset } from "./magsag-preset/index.ts";
import { magsagServer } from "./magsag-server/index.ts";
import { mcpJson } from "./mcp-json/index.ts";
import { presetLayer } from "./preset/index.ts";
import { proliferate } from "./proliferate/index.ts";
import { opencode } from "./opencode/index.ts";
import { product, rows } from "./product/index.ts";
import { squad } from "./squad/index.ts";
import type { AnyFormat } from "./types.ts";
import { vscode } from "./vscode/index.ts";

/** Every format that is read. Where keys are those of several, the usual name of the file tells them apart. */
export const allFormats: readonly AnyFormat[] = [
  squad,
  mcpJson,
  cursor,
  claudeDesktop,
  vscode,
  opencode,
  codex,
  gemini,
  copilot,
  copilotAgent,
  junie,
  proliferate,
  presetLayer,
  magsagServer,
  magsagPreset,
  magsagGovernance,
  product,
  rows,
];
