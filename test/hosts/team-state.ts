import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import type { Call } from "./dialects.ts";
import { geminiCli } from "./gemini-cli.ts";
import type { Host } from "./host.ts";
import { cacheFolder, install } from "./install.ts";
import { mockModel } from "./mock-model.ts";
import { opencode } from "./opencode.ts";
import { CLI } from "./cli.ts";

/** Real hosts, told of `rolecall serve` alone, read their team's decisions as a resource, and nothing that the role doesn't hold. */

const RULES = `version: 1
project: harbor
hosts: [{ id: claude-code, via: serve }, { id: gemini-cli, via: serve }, { id: opencode, via: serve }, { id: codex, via: serve }]
serve: { idle: 1s, command: [${process.execPath}, ${CLI}] }
state: { name: squad, command: [${process.execPath}, ${CLI}, state] }
roles:
  tester:
    description: Tests.
    tools: { squad: all }
    resources: { squad: { include: ["squad://**"], exclude: ["squad://metrics"] } }
    builtins: &own { claude-code: none, gemini-cli: none, opencode: [read] }
  watcher:
    description: Reads, and calls nothing.
    resources: { squad: ["squad://decisions/**"] }
    builtins: *own
  closed: { description: Reads nothing., tools: { squad: all }, builtins: *own }
`;
interface Reading {
  readonly host: Host;
  readonly list: Call;
  readonly read: (uri: string) => Call;
  /** What reads is shown to a role that is refused it. */
  readonly visible: boolean;
}

const HOSTS: readonly Reading[] = [
  {
    host: claudeCode,
    list: { name: "ListMcpResourcesTool", args: { server: "rolecall" } },
    read: (uri) => ({ name: "ReadMcpResourceTool", args: { server: "rolecall", uri } }),
    visible: false,
  },
  {
    host: geminiCli,
    list: { name: "list_mcp_resources", args: { serverName: "rolecall" } },
    read: (uri) => ({ name: "read_mcp_resource", args: { uri: `rolecall:${uri}` } }),
    visible: false,
  },
  {
    host: opencode,
    list: { name: "list_mcp_resources", args: {} },
    read: (uri) => ({ name: "read_mcp_resource", args: { server: "rolecall", uri } }),
    visible: true,
  },
  {
    host: codex,
    list: { name: "list_mcp_resources", args: { server: "rolecall" } },
    read: (uri) => ({ name: "read_mcp_resource", args: { server: "rolecall", uri } }),
    visible: true,
  },
];
const DECIDED = "tides are measured at noon";
const SERVER = "rolecall";

const problems: string[] = [];
const expect = (isSo: boolean, what: string): void => {
  process.stdout.write(`${isSo ? "ok  " : "FAIL"} ${what}\n`);
  if (!isSo) problems.push(what);
};

const place = mkdtempSync(path.join(tmpdir(), "rolecall-team-state-"));
const folder = path.join(place, "project");
const home = path.join(place, "home");
for (const one of [path.join(folder, ".squad"), home]) mkdirSync(one, { recursive: true });
writeFileSync(path.join(folder, "rolecall.yaml"), RULES);
writeFileSync(path.join(folder, ".squad/decisions.md"), `## 2026-05-01: Tides\n**By:** Kit\n${DECIDED}\n`);
spawnSync("git", ["init", "--quiet"], { cwd: folder });
const built = spawnSync(process.execPath, [CLI, "build"], { cwd: folder, encoding: "utf8" });
expect(built.status === 0, `the project builds ${built.status === 0 ? "" : built.stdout + built.stderr}`);
try {
  const wanted = process.argv.slice(2);
  for (const one of HOSTS.filter(({ host }) => wanted.length === 0 || wanted.includes(host.id))) {
    const installed = await install(one.host, cacheFolder(process.env));
    if ("why" in installed) process.stdout.write(`${one.host.id} skipped: ${installed.why}\n`);
    else for (const role of ["tester", "watcher", "closed"] as const) await session(one, role, installed.folder);
  }
} finally {
  spawnSync(process.execPath, [CLI, "serve", "--stop"], { cwd: folder, env: { ...process.env, HOME: home } });
  removeOrTell();
}
process.exitCode = problems.length === 0 ? 0 : 1;

/** A host that was ended writes a moment longer: what it leaves in a folder of its own says nothing of ours. */
function removeOrTell(): void {
  try {
    rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  } catch (problem) {
    process.stdout.write(`not removed: ${(problem as NodeJS.ErrnoException).path ?? place}\n`);
  }
}

async function session(
  { host, list, read, visible }: Reading,
  role: "tester" | "watcher" | "closed",
  packages: string,
): Promise<void> {
  const calls = [
    list,
    read("squad://decisions/latest"),
    read("squad://metrics"),
    { name: host.shown({ server: SERVER, tool: "squad__squad_status" }), args: {} },
  ];
  const own = path.join(home, `${host.id}-${role}`);
  mkdirSync(own);
  const model = await mockModel([{ about: "PROBE", calls }], async () => {});
  await host.start(
    { folder, home: own, packages, modelUrl: model.url, timeoutMs: 90_000 },
    { role, filesOf: role, prompt: "PROBE" },
  );
  await model.close();
  const told = model.asked.at(-1)?.told ?? "";
  const offered = model.asked.flatMap(({ tools }) => tools);
  const who = `${host.id} ${role}`;
  const reads = role !== "closed";
  expect(model.asked.length > calls.length, `${who}: the session goes through its ${calls.length} calls`);
  expect(/team\\+": \\+"squad/.test(told) === (role !== "watcher"), `${who}: a tool answers who holds it`);
  if (!visible || reads)
    expect(offered.includes(calls[1]!.name) === reads, `${who}: is ${reads ? "" : "not "}offered what reads`);
  expect(told.includes("squad://decisions/latest"), `${who}: asked for the decisions`);
  expect(told.includes(DECIDED) === reads, `${who}: ${reads ? "reads" : "doesn't read"} the team's decisions`);
  expect(!told.includes("durationMs"), `${who}: doesn't read the figures`);
}
