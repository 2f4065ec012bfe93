import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { engine } from "../../compiler/cli/engine.ts";
import { main } from "../../compiler/cli/main.ts";
import { readUsage } from "../../compiler/io/read/read-usage.ts";
import { loadTypeScript, type TypeScriptLibrary } from "../../compiler/io/read/typescript-library.ts";
import { settle, type HeldTool } from "../../compiler/usage/settle.ts";
import type { CodeStanding, CodeUsage } from "../../compiler/usage/types.ts";
import { runInProcess } from "../support/run-cli.ts";

/** Apps of a project with two roles, on disk, with what a build really generates. */

export const HOLDS = {
  tester: { tracker: ["create_issue", "get_issue", "list_issues"], files: ["read_file", "write_file"] },
  lead: { tracker: ["get_issue", "list_issues", "merge"], files: ["read_file"] },
} as const;

const manifest = (server: string, tools: readonly string[]): string =>
  JSON.stringify({
    server,
    tools: tools.map((name) => ({
      name,
      description: name,
      inputSchema: { type: "object", properties: { a: { type: "string" } } },
    })),
  });

export const SOURCES = {
  "rolecall.yaml": "version: 1\nproject: harbor\nhosts: [ai-sdk]\n",
  "mcp/servers.yaml":
    "servers:\n  tracker: { connect: [{ stdio: [node, tracker.mjs] }] }\n  files: { connect: [{ stdio: [node, files.mjs] }] }\n",
  "mcp/manifests/tracker.json": manifest("tracker", [
    "create_issue",
    "delete_issue",
    "get_issue",
    "list_issues",
    "merge",
  ]),
  "mcp/manifests/files.json": manifest("files", ["read_file", "write_file"]),
  "mcp/roles.yaml": `roles:\n${Object.entries(HOLDS)
    .map(
      ([role, servers]) => `  ${role}:\n    builtins: { claude-code: [Read] }\n    tools: ${JSON.stringify(servers)}\n`,
    )
    .join("")}`,
} as const;

export const run = runInProcess((argv, terminal) => main(argv, terminal, engine));

export interface App {
  readonly dir: string;
  write(files: Readonly<Record<string, string>>): void;
  close(): void;
}

export async function openApp(sources: Readonly<Record<string, string>> = SOURCES): Promise<App> {
  const dir = mkdtempSync(path.join(tmpdir(), "rolecall-usage-"));
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
      writeFileSync(path.join(dir, file), text);
    }
  };
  write(sources);
  const { exit, printed } = await run(["build"], dir);
  if (exit !== 0) throw new Error(printed);
  return { dir, write, close: () => rmSync(dir, { recursive: true, force: true }) };
}

export const HELD: readonly HeldTool[] = Object.entries(HOLDS).flatMap(([role, servers]) =>
  Object.entries(servers).flatMap(([server, tools]) => tools.map((tool: string) => ({ role, server, tool }))),
);

const KNOWN = {
  roles: new Set(["tester", "lead"]),
  servers: new Set(["tracker", "files"]),
  tools: new Set(["create_issue", "delete_issue", "get_issue", "list_issues", "merge", "read_file", "write_file"]),
};

let library: TypeScriptLibrary | undefined;

export function usageIn(dir: string): CodeUsage {
  library ??= loadTypeScript(path.resolve(import.meta.dirname, "../.."));
  return settle(readUsage({ root: dir, out: path.join(dir, "src/mcp") }, KNOWN, library!).events, HELD);
}

/** `tester.tracker.get_issue: used`, for all that isn't unused. */
export function standings(usage: CodeUsage): Record<string, CodeStanding> {
  const found = HELD.map(
    ({ role, server, tool }) => [`${role}.${server}.${tool}`, usage.of(role, server, tool).standing] as const,
  );
  return Object.fromEntries(found.filter(([, standing]) => standing !== "none"));
}
