import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Problems } from "./checks.ts";
import { claudeAgentSdk } from "./claude-agent-sdk.ts";
import { copilotSdk } from "./copilot-sdk.ts";
import type { Needed } from "./install.ts";

/**
 * What is written for hosts, against the types that they publish: modules by the compiler as a strict project has it, files
 * of data as a value of their type. Whatever a host has no types for it reads itself, in its own run.
 */

/** For types alone: these two don't run here. */
const TYPES_ALONE: Needed = { id: "types", packages: { "@google/adk": "2.0.0", "@opencode-ai/sdk": "1.18.33" } };

export const TYPED_HOSTS = "adk, ai-sdk, claude-agent-sdk, claude-code, copilot-sdk, openai-agents, opencode";
export const TYPED_PACKAGES: readonly Needed[] = [TYPES_ALONE, claudeAgentSdk, copilotSdk];

/** These are the repository's own. */
const OURS = ["@modelcontextprotocol/client", "@openai/agents", "@types/node", "ai", "ajv", "zod"];
const REPOSITORY = path.join(import.meta.dirname, "..", "..");

/** `folders`: where the packages are installed. */
export function typeProblems(project: string, folders: readonly string[]): Problems {
  for (const name of OURS) link(project, REPOSITORY, name);
  for (const [index, { packages }] of TYPED_PACKAGES.entries())
    for (const name of Object.keys(packages)) link(project, folders[index] ?? "", name);
  writeFileSync(path.join(project, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(path.join(project, "data.ts"), dataModule(project));
  writeFileSync(path.join(project, "tsconfig.json"), JSON.stringify(TSCONFIG));
  const tsc = path.join(REPOSITORY, "node_modules", "typescript", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
  return status === 0 ? [] : stdout.trim().split("\n");
}

function link(project: string, folder: string, name: string): void {
  const to = path.join(project, "node_modules", name);
  mkdirSync(path.dirname(to), { recursive: true });
  try {
    symlinkSync(path.join(folder, "node_modules", name), to, "dir");
  } catch {
    // Two of them bring it: the first one's is as good.
  }
}

function dataModule(project: string): string {
  const hosts = path.join(project, "mcp", "hosts");
  const values = (folder: string, ending: string, type: string) =>
    readdirSync(path.join(hosts, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => `${readFileSync(path.join(hosts, folder, name), "utf8").trim()} satisfies ${type},`);
  return [
    'import type { McpServerConfigForProcessTransport, Settings } from "@anthropic-ai/claude-agent-sdk";',
    'import type { Config } from "@opencode-ai/sdk/v2";',
    "export const data = [",
    ...values("claude-code", ".settings.json", "Settings"),
    ...values("claude-code", ".mcp.json", "{ mcpServers: Record<string, McpServerConfigForProcessTransport> }"),
    ...values("opencode", ".json", "Config"),
    "];\n",
  ].join("\n");
}

const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2023", "esnext.disposable", "dom"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: true,
    noEmit: true,
  },
  files: ["data.ts"],
  include: ["src"],
};
