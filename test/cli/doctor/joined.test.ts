import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureProject, type CaptureProject } from "../../support/capture-project.ts";
import { hostDoctor, type HostDoctor } from "../../support/host-doctor.ts";

/** A name of ours in a file of somebody else's, which the host would join with ours. */
const PROGRAMS = {
  "claude-code": "claude",
  codex: "codex",
  opencode: "opencode",
  "gemini-cli": "gemini",
  "copilot-cli": "copilot",
};
let project: CaptureProject;
let doctor: HostDoctor;
beforeAll(async () => {
  project = captureProject();
  doctor = hostDoctor(project);
  await doctor.built(Object.keys(PROGRAMS).join(", "), `{ connect: ${doctor.fake()} }`);
  for (const program of Object.values(PROGRAMS)) doctor.install(program);
  mkdirSync(path.join(project.dir, ".git"));
});
afterAll(() => project.remove());

const AGENT = "---\nname: tester\ndescription: x\n---\nhi\n";
const codex = "[mcp_servers.notes]\ncwd = 'x'\n";
const opencode = '{ "agent": { "tester": { "permission": { "bash": "allow" } } } }';

describe("in the project, the build stops as well", () => {
  test.each<readonly [host: keyof typeof PROGRAMS, file: string, text: string, key: string]>([
    ["claude-code", ".claude/agents/deep/qa.md", AGENT, "tester"],
    ["codex", ".codex/config.toml", codex, "mcp_servers.notes"],
    ["codex", ".codex/config.toml", '["mcp_servers"."n\\u006ftes"]\n', "mcp_servers.notes"],
    ["opencode", "opencode.json", opencode, "agent.tester"],
    ["opencode", ".opencode/opencode.jsonc", '{ "mode": { "tester": {} } }', "mode.tester"],
    ["opencode", "opencode.jsonc", '{ "mcp": { "notes": { "cwd": "x" } } }', "mcp.notes"],
    ["opencode", "opencode.json", '{ "mcp": { "servers": { "notes": {} } } }', "mcp.servers.notes"],
    ["opencode", ".opencode/agent/tester.md", "hi\n", "tester"],
    ["opencode", ".opencode/modes/x.md", AGENT, "tester"],
    ["copilot-cli", ".mcp.json", '{ "mcpServers": { "notes": { "command": "x" } } }', "mcpServers.notes"],
  ])("%s: %s %s", async (host, file, text, key) => {
    expect(await doctor.found(host)).toMatchObject({ exit: 0, ready: true });
    project.write(file, text);
    const { exit, ready, files } = await doctor.found(host);
    expect([exit, ready, files.filter(({ state }) => state !== "up-to-date")]).toEqual([
      1,
      false,
      [{ path: file, state: "overrules", key }],
    ]);
    const started = await project.run(["start", "tester", "--host", host], { env: { PATH: doctor.bin } });
    expect([started.exit, project.has("was-run")]).toEqual([1, false]);
    expect(started.err).toContain(`\`${key}\` in ${file} is nothing of rolecall's`);
    const build = await project.run(["build"]);
    expect([build.exit, build.err]).toEqual([
      1,
      expect.stringContaining(`error[output/joined]: \`${file}\` has \`${key}\``),
    ]);
    expect((await project.run(["build", "--check"])).exit).toBe(1);
    rmSync(path.join(project.dir, file));
    expect((await project.run(["build"])).exit).toBe(0);
  });
});

describe("of a person's own, doctor and start stop", () => {
  test.each<readonly [host: keyof typeof PROGRAMS, file: string, text: string, shown: string]>([
    ["codex", ".codex/config.toml", codex, "~/.codex/config.toml"],
    ["opencode", ".config/opencode/opencode.json", opencode, "~/.config/opencode/opencode.json"],
    ["opencode", ".config/opencode/agents/tester.md", "hi\n", "~/.config/opencode/agents/tester.md"],
    ["copilot-cli", ".copilot/mcp-config.json", '{ "mcpServers": { "notes": {} } }', "~/.copilot/mcp-config.json"],
  ])("%s: %s", async (host, file, text, shown) => {
    const home = path.join(project.dir, "home");
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), text);
    const { exit, files } = await doctor.found(host, { HOME: home });
    expect([exit, files.at(-1)]).toMatchObject([1, { path: shown, state: "overrules" }]);
    expect((await project.run(["build"], { env: { HOME: home } })).exit).toBe(0);
    rmSync(home, { recursive: true });
  });
});

test.each<readonly [host: keyof typeof PROGRAMS, file: string, text: string, key: string]>([
  ["gemini-cli", ".env", "TOKEN=x\nXDG_STATE_HOME=/x\n", "XDG_STATE_HOME"],
  ["gemini-cli", ".gemini/.env", "NODE_OPTIONS=--require ./x.cjs\n", "NODE_OPTIONS"],
  [
    "claude-code",
    ".claude/settings.json",
    '{ "env": { "TOKEN": "x", "NODE_OPTIONS": "-r ./x.cjs" } }',
    "env.NODE_OPTIONS",
  ],
])("%s hands on what %s sets: doctor and start stop", async (host, file, text, key) => {
  project.write(file, text);
  const { exit, files } = await doctor.found(host);
  expect([exit, files.at(-1)]).toEqual([1, { path: file, state: "moves", key }]);
  expect((await doctor.look(host)).out).toContain("  next: take it out of that file: set it where you start the host");
  expect((await project.run(["build"])).exit).toBe(0);
  rmSync(path.join(project.dir, file));
});

test("a build that stands looks again once such a file is there", async () => {
  const built = async () => (await project.run(["build"])).exit;
  expect([await built(), await built()]).toEqual([0, 0]);
  project.write(".opencode/agents/x.md", AGENT);
  expect(await built()).toBe(1);
  rmSync(path.join(project.dir, ".opencode"), { recursive: true });
  expect(await built()).toBe(0);
});

test("a server that was read from such a file is told when the host is started, not by the build", async () => {
  const main = project.read("rolecall.yaml");
  project.write(".codex/config.toml", '[mcp_servers.wiki]\ncommand = "x"\n');
  project.write("rolecall.yaml", `${main}imports: [.codex/config.toml]\n`);
  doctor.pin("wiki", ["find"]);
  const { exit, err } = await project.run(["build"]);
  expect([exit, err.includes("output/joined")]).toEqual([0, false]);
  rmSync(path.join(project.dir, ".codex"), { recursive: true });
  project.write("rolecall.yaml", main);
});
