import { expect } from "vitest";
import { stringify as yaml } from "yaml";
import { memoryFiles } from "../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import { translate } from "../../compiler/translate.ts";
import { compiled, decision, manifest } from "./compiled.ts";

/** Files of servers of agent hosts, and what becomes of settings beside them. */

export const server = { command: "serve" };
export const CLAUDE = [".mcp.json", { mcpServers: { tracker: server } }] as const;
export const SHARED = ".claude/settings.json";
export const OWN = ".claude/settings.local.json";
export const CURSOR = [".cursor/mcp.json", { mcpServers: { tracker: server } }] as const;
export const OPENCODE = ["opencode.json", { mcp: { tracker: { type: "local", command: ["serve"] } } }] as const;
export const VSCODE = [".vscode/mcp.json", { servers: { tracker: server } }] as const;
export const GEMINI = [
  "conf/gemini.json",
  { mcpServers: { tracker: { ...server, includeTools: ["list", "drop"] } } },
] as const;
export const COPILOT = [".copilot/mcp-config.json", { mcpServers: { tracker: server } }] as const;

export type Outcome = "held" | "asked" | "told" | "silence";
export type Row = readonly [file: string, settings: object | string, outcome: Outcome];

export const textOf = (file: string, settings: object | string): string => {
  if (typeof settings === "string") return settings;
  return file.endsWith(".md") ? `---\n${yaml(settings)}---\nWork.\n` : JSON.stringify(settings);
};

/** `built`: the file is read as it lies there; else it is taken over. */
export function outcome(
  [file, document]: readonly [string, object],
  others: Readonly<Record<string, object | string>>,
  how: "built" | "taken",
): Outcome {
  const beside = Object.entries(others).map(([name, settings]) => [name, textOf(name, settings)] as const);
  const files = { [file]: JSON.stringify(document), ...Object.fromEntries(beside) };
  const pinned = {
    "rolecall.yaml": `{ version: 1, project: test, ${how === "built" ? `imports: [${file}], ` : ""}roles: { dev: { tools: { tracker: all } } } }`,
    "mcp/manifests/tracker.json": manifest("list", "drop"),
  };
  const hosts = allHosts([]);
  const taken = translate({ file }, { files: memoryFiles(files), project: DEFAULTS, hosts }, lazyLibraries());
  const found =
    how === "built"
      ? compiled({ ...files, ...pinned })
      : compiled({ ...pinned, "mcp/taken.json": JSON.stringify(taken.translated?.blocks) });
  const said = how === "built" ? found.diagnostics : taken.diagnostics;
  expect([...said, ...found.diagnostics].filter(({ severity }) => severity === "error")).toEqual([]);
  const effect = decision(found, "dev", "tracker", "drop")?.effect;
  if (effect !== "allow") return effect === "ask" ? "asked" : "held";
  const told = said.filter(({ code }) => code === (how === "built" ? "import/taken-beside" : "import/left-behind"));
  expect(told.filter(({ at }) => !beside.some(([name]) => name === at?.file))).toEqual([]);
  return told.length > 0 ? "told" : "silence";
}
