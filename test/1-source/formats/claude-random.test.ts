import { expect, test } from "vitest";
import { memoryFiles } from "../../../compiler/1-source/memory-files.ts";
import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { DEFAULTS } from "../../../compiler/base/project-layout.ts";
import { lazyLibraries } from "../../../compiler/io/libraries.ts";
import { translate } from "../../../compiler/translate.ts";
import { compiled, decision, manifest } from "../../support/compiled.ts";

/** Claude Code's settings, taken over, against a second reading of what Claude Code does with them. */

const SERVERS: Readonly<Record<string, { readonly ours: string; readonly tools: readonly string[] }>> = {
  files: {
    ours: "files",
    tools: ["read", "write_all", "write_one", "a__drop", "ns::drop", "x::ns__drop", "drop", "admin.delete"],
  },
  git: { ours: "git", tools: ["status", "hub__wipe", "drop", "airdrop"] },
  git__hub: { ours: "git__hub", tools: ["drop", "Drop", "list"] },
  "My Tracker": { ours: "my-tracker", tools: ["list", "write all", "hub__drop"] },
  "a.b": { ours: "a-b", tools: ["drop", "write/one"] },
};
const MCP = JSON.stringify({
  mcpServers: Object.fromEntries(Object.keys(SERVERS).map((name) => [name, { command: "serve" }])),
});

const shown = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_");

/** Whether a rule is about a tool; `loose`: where an `_` may stand for any character, and a name for all that begins with it. */
function finds(rule: string, server: string, tool: string, loose = false): boolean {
  const name = `mcp__${shown(server)}__${shown(tool)}`;
  const sign = (one: string): string => (one === "*" ? ".*" : loose && one === "_" ? "." : one.replace(/\W/, "\\$&"));
  const wanted = (text: string): RegExp => new RegExp(`^${[...text].map(sign).join("")}$`, "s");
  if (wanted(rule).test(name)) return true;
  const isServer = rule.startsWith("mcp__") && !rule.includes("*") && (loose || rule.split("__").length === 2);
  return isServer && wanted(`${rule}__*`).test(name);
}

function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function ruleOf(roll: (below: number) => number): string {
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)]!;
  const server = pick(Object.keys(SERVERS));
  const tool = pick(SERVERS[pick(Object.keys(SERVERS))]!.tools);
  const full = pick([
    `mcp__${shown(server)}__${shown(pick([pick(SERVERS[server]!.tools), tool]))}`,
    `mcp__${shown(server)}`,
    `mcp__${shown(server)}__*`,
    "mcp__*",
    `mcp__*__${shown(tool)}`,
  ]);
  let rule = full;
  for (let i = roll(3); i > 0; i--) {
    const at = 3 + roll(Math.max(1, rule.length - 2));
    rule = rule.slice(0, at) + "*" + rule.slice(at + roll(5));
  }
  return rule;
}

const hosts = allHosts([]);

function judged(settings: { deny: string[]; ask: string[] }): string[] | undefined {
  const files = { ".mcp.json": MCP, ".claude/settings.json": JSON.stringify({ permissions: settings }) };
  const { translated, diagnostics } = translate(
    { file: ".mcp.json" },
    { files: memoryFiles(files), project: DEFAULTS, hosts },
    lazyLibraries(),
  );
  const held = Object.values(SERVERS)
    .map(({ ours }) => `${ours}: all`)
    .join(", ");
  const found = compiled({
    "rolecall.yaml": `{ version: 1, project: test, roles: { dev: { tools: { ${held} } } } }`,
    ...Object.fromEntries(
      Object.values(SERVERS).map(({ ours, tools }) => [`mcp/manifests/${ours}.json`, manifest(...tools)]),
    ),
    "mcp/taken.json": JSON.stringify(translated!.blocks),
  });
  // A rule about a tool that isn't there.
  if (found.diagnostics.some(({ severity }) => severity === "error")) return undefined;
  const told = diagnostics.filter(({ code }) => code === "import/left-behind").map(({ says }) => says);
  const isTold = (rule: string) => told.some((says) => says.includes(`\`${rule}\``));
  return Object.entries(SERVERS).flatMap(([server, { ours, tools }]) =>
    tools.flatMap((tool) => {
      const by = (list: string[], loose = false) => list.filter((rule) => finds(rule, server, tool, loose));
      const effect = decision(found, "dev", ours, tool)?.effect ?? "deny";
      const lost = [...(effect === "deny" ? [] : by(settings.deny)), ...(effect === "allow" ? by(settings.ask) : [])];
      const over = effect !== "allow" && by([...settings.deny, ...settings.ask], true).length === 0;
      return [
        ...lost.filter((rule) => !isTold(rule)).map((rule) => `${rule} lost of ${server} ${tool}`),
        ...lost.filter((rule) => isTold(rule)).map((rule) => `${rule} only told of ${server} ${tool}`),
        ...(over ? [`${server} ${tool} is ${effect} for nothing`] : []),
      ];
    }),
  );
}

test("what Claude Code takes away is taken away, and nothing else", () => {
  const wrong = new Set<string>();
  let count = 0;
  for (let seed = 0; seed < 300; seed++) {
    const roll = chance(seed * 7919 + 1);
    const rules = (count: number) => Array.from({ length: count }, () => ruleOf(roll));
    const settings = { deny: rules(1 + roll(2)), ask: rules(roll(2)) };
    const found = judged(settings);
    if (found !== undefined) count++;
    for (const one of found ?? []) wrong.add(`${one} by ${JSON.stringify(settings)}`);
  }
  expect([...wrong]).toEqual([]);
  expect(count).toBeGreaterThan(200);
});
