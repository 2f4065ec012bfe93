import { renameSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** What a build takes away counts, though no watcher told of it. */
let cli: BundledCli;
let project: ServedProject;
let client: Connected["client"];

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, { "rolecall.yaml": source(OUT), "mcp/team.yaml": team(ALL) });
}, 120_000);
beforeEach(async () => {
  await build(ALL, OUT);
  project.typed("serve", "--accept");
  ({ client } = await project.connect(["--role", "tester"]));
  await pause(500);
});
afterEach(async () => {
  await client.close();
  project.typed("serve", "--stop");
  for (const out of [OUT, ".moved"]) rmSync(path.join(project.dir, out), { recursive: true, force: true });
});
afterAll(() => {
  project.remove();
  cli.remove();
});

/** No watcher follows it. */
const OUT = ".made";

const ALL = "[echo, get-env, get-sum]";

function source(out: string): string {
  return `version: 1
project: harbor
out: ${out}
serve: { idle: 5s }
servers:
  everything: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio], cwd: . }] }
`;
}

const team = (tools: string): string => `roles:\n  tester: { tools: { everything: ${tools} } }\n`;

async function build(tools: string, out: string): Promise<void> {
  project.write("rolecall.yaml", source(out));
  project.write("mcp/team.yaml", team(tools));
  await project.run("build");
}

const names = async (): Promise<string> =>
  `[${(await client.listTools()).tools.map(({ name }) => name.slice("everything__".length)).join(", ")}]`;

async function expectOffered(tools: string): Promise<void> {
  await expect.poll(names, { timeout: 10_000 }).toBe(tools);
}

test("while the process was suspended and the folder was made anew", async () => {
  await build("[echo, get-sum]", "src/made");
  await expectOffered("[echo, get-sum]");
  const { pid } = JSON.parse(project.typed("serve", "--status", "--json").out) as { pid: number };
  process.kill(pid, "SIGSTOP");
  rmSync(path.join(project.dir, "src/made"), { recursive: true });
  await project.run("build");
  process.kill(pid, "SIGCONT");
  await pause(2_500);
  project.write("mcp/team.yaml", team("[echo]"));
  await project.run("build");
  await expectOffered("[echo]");
  expect(await names()).toBe("[echo]");
  rmSync(path.join(project.dir, "src"), { recursive: true });
});

test("where the next one goes to another folder, and the old one is left where it was", async () => {
  rmSync(path.join(project.dir, ".rolecall"), { recursive: true });
  project.write("rolecall.yaml", source(".moved"));
  project.write("mcp/team.yaml", team("[echo]"));
  await pause(1_500);
  expect(await names()).toBe(ALL);
  await project.run("build");
  await expectOffered("[echo]");
});

test("where the old folder was moved by hand before the build", async () => {
  const isRefused = async (): Promise<boolean> =>
    (await client.callTool({ name: "everything__echo", arguments: { message: "a" } })).isError === true;
  renameSync(path.join(project.dir, OUT), path.join(project.dir, ".moved"));
  await pause(1_500);
  expect(await isRefused()).toBe(true);
  project.write("rolecall.yaml", source(".moved"));
  await pause(1_500);
  await project.run("build");
  await expect.poll(isRefused, { timeout: 10_000 }).toBe(false);
});
