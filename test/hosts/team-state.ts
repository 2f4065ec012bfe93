import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { claudeCode } from "./claude-code.ts";
import { cacheFolder, install } from "./install.ts";
import { mockModel } from "./mock-model.ts";
import { CLI } from "./cli.ts";

/** A real Claude Code, told of `rolecall serve` alone, reads its team's decisions as a resource, and nothing that its role doesn't hold. */

const RULES = `version: 1
project: harbor
hosts: [{ id: claude-code, via: serve }]
serve: { idle: 1s, command: [${process.execPath}, ${CLI}] }
state: { name: squad, command: [${process.execPath}, ${CLI}, state] }
roles:
  tester:
    description: Tests.
    tools: { squad: all }
    resources: { squad: { include: ["squad://**"], exclude: ["squad://metrics"] } }
    builtins: { claude-code: none }
  closed: { description: Reads nothing., tools: { squad: all }, builtins: { claude-code: none } }
`;
const DECIDED = "tides are measured at noon";
const SERVER = "rolecall";

const problems: string[] = [];
const expect = (isSo: boolean, what: string): void => {
  process.stdout.write(`${isSo ? "ok  " : "FAIL"} ${what}\n`);
  if (!isSo) problems.push(what);
};

const installed = await install(claudeCode, cacheFolder(process.env));
if ("why" in installed) {
  process.stdout.write(`skipped: ${installed.why}\n`);
  process.exit(0);
}
const packages = installed.folder;
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
  await session("tester");
  await session("closed");
} finally {
  spawnSync(process.execPath, [CLI, "serve", "--stop"], { cwd: folder, env: { ...process.env, HOME: home } });
  rmSync(place, { recursive: true, force: true });
}
process.exitCode = problems.length === 0 ? 0 : 1;

async function session(role: "tester" | "closed"): Promise<void> {
  const read = (uri: string) => ({ name: "ReadMcpResourceTool", args: { server: SERVER, uri } });
  const calls = [
    { name: "ListMcpResourcesTool", args: { server: SERVER } },
    read("squad://decisions/latest"),
    read("squad://metrics"),
    { name: "mcp__rolecall__squad__squad_status", args: {} },
  ];
  const model = await mockModel([{ about: "PROBE", calls }], async () => {});
  await claudeCode.start(
    { folder, home, packages, modelUrl: model.url, timeoutMs: 90_000 },
    { role, filesOf: role, prompt: "PROBE" },
  );
  await model.close();
  const told = model.asked.at(-1)?.told ?? "";
  const offered = model.asked.flatMap(({ tools }) => tools);
  expect(model.asked.length > calls.length, `${role}: the session goes through its ${calls.length} calls`);
  expect(/team\\+": \\+"squad/.test(told), `${role}: a tool answers`);
  const reads = role === "tester";
  expect(offered.includes("ReadMcpResourceTool") === reads, `${role}: is ${reads ? "" : "not "}offered what reads`);
  expect(told.includes("squad://decisions/latest"), `${role}: asked for the decisions`);
  expect(told.includes(DECIDED) === reads, `${role}: ${reads ? "reads" : "doesn't read"} the team's decisions`);
  expect(!told.includes("durationMs"), `${role}: doesn't read the figures`);
}
