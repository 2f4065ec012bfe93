import { spawnSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
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

const isRefused = async (): Promise<boolean> =>
  (await client.callTool({ name: "everything__echo", arguments: { message: "a" } })).isError === true;

test("where its access.json was edited to have a condition that could be asked for ever", async () => {
  const file = `${OUT}/access.json`;
  const access = JSON.parse(project.read(file));
  access.roles.tester.servers.everything.where = { echo: { message: { pattern: "x|(?:.*){1000}!", optional: true } } };
  project.write(file, JSON.stringify(access));
  await expect.poll(isRefused, { timeout: 10_000 }).toBe(true);
  await build(ALL, OUT);
  await expect.poll(isRefused, { timeout: 10_000 }).toBe(false);
});

test("where the old folder was moved by hand before the build", async () => {
  renameSync(path.join(project.dir, OUT), path.join(project.dir, ".moved"));
  await pause(1_500);
  expect(await isRefused()).toBe(true);
  project.write("rolecall.yaml", source(".moved"));
  await pause(1_500);
  await project.run("build");
  await expect.poll(isRefused, { timeout: 10_000 }).toBe(false);
});

const standing = (): unknown =>
  (JSON.parse(project.typed("serve", "--status", "--json").out) as { build: unknown }).build;

/** Whoever builds may have another package of rolecall than the process that serves. */
test.each<[string, (text: string) => string | undefined]>([
  ["is gone", () => undefined],
  ["is another build's", (text) => text.replaceAll(/"[0-9a-f]{12}"/g, '"0123456789ab"')],
])("where a part of the process's own package %s, until it is there again", async (_, changed) => {
  const other = bundledCli();
  const part = path.join(path.dirname(cli.entry), "parts/reading-built.js");
  const text = readFileSync(part, "utf8");
  const now = changed(text);
  expect(now).not.toBe(text);
  rmSync(part);
  if (now !== undefined) writeFileSync(part, now);
  try {
    await build("[echo, get-sum]", OUT);
    await expectOffered("[echo, get-sum]");
    expect(standing()).toBe("unjudged");
    const typed = { cwd: project.dir, env: project.env, encoding: "utf8" } as const;
    const { stdout } = spawnSync(process.execPath, [other.entry, "serve", "--accept"], typed);
    expect(stdout).toMatch(
      /is accepted, and counts where it can be judged\nprocess \d+: what was built last can't be judged/,
    );
    writeFileSync(part, text);
    await expect.poll(standing, { timeout: 15_000 }).toBe("counts");
    expect(await names()).toBe("[echo, get-sum]");
  } finally {
    writeFileSync(part, text);
    other.remove();
  }
});

test("where nobody can judge it, at the old place and at the new one", async () => {
  const other = bundledCli();
  const part = path.join(path.dirname(cli.entry), "parts/reading-built.js");
  const text = readFileSync(part, "utf8");
  rmSync(part);
  try {
    // Then the old one is left where it was.
    rmSync(path.join(project.dir, ".rolecall"), { recursive: true });
    await build("[echo, get-sum]", ".moved");
    await expectOffered("[echo, get-sum]");
    const old = JSON.parse(project.read(`${OUT}/access.json`));
    delete old.roles.tester.servers.everything.tools.echo;
    project.write(`${OUT}/access.json`, JSON.stringify(old));
    await expectOffered("[get-sum]");
    expect(standing()).toBe("unjudged");
  } finally {
    writeFileSync(part, text);
    other.remove();
  }
});
