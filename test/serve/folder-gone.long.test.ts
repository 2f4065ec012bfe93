import { spawn, spawnSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { servePlace } from "../../compiler/io/serve/place.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** A project's folder that is moved, or another one in its place: what served it would follow no build any more. */
let cli: BundledCli;
let project: ServedProject;
let connected: Connected | undefined;

const FIRST = "first start of this project here: what is built was accepted";

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
servers: { one: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio] }] } }
roles: { tester: { tools: { one: [echo] } } }
`,
  });
}, 120_000);
afterEach(async () => {
  await connected?.client.close().catch(() => {});
  project.typed("serve", "--stop");
});
afterAll(() => {
  project.remove();
  cli.remove();
});

const echo = async (message: string): Promise<string> => {
  const { content } = await connected!.client.callTool({ name: "one__echo", arguments: { message } });
  return (content as readonly { text: string }[])[0]!.text;
};

const pidNow = (): number => (JSON.parse(project.typed("serve", "--status", "--json").out) as { pid: number }).pid;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const gone = async (pid: number): Promise<boolean> => {
  for (const end = Date.now() + 10_000; Date.now() < end && isAlive(pid);)
    await new Promise((resolve) => setTimeout(resolve, 25));
  return !isAlive(pid);
};

test("what served it ends, its client is told, and at the new place it is said to be a first start", async () => {
  connected = await project.connect(["--role", "tester"]);
  expect(await echo("x")).toBe("Echo: x");
  expect(project.typed("serve", "--status").out).toContain(FIRST);
  const pid = pidNow();
  const { log } = servePlace(project.dir, project.env);
  expect(readFileSync(log, "utf8")).toContain(FIRST);
  const elsewhere = `${project.dir}-elsewhere`;
  renameSync(project.dir, elsewhere);
  try {
    expect(await gone(pid)).toBe(true);
    expect(readFileSync(log, "utf8")).toContain("the project's folder isn't there any more");
    await expect(echo("y")).rejects.toThrow("the project's folder isn't there any more");
    await expect
      .poll(() => connected?.said(), { timeout: 5_000 })
      .toContain("the project's folder isn't there any more\n  start the host again where it is now");
    const here = { cwd: elsewhere, env: project.env };
    const daemon = spawn(process.execPath, [cli.entry, "serve"], { ...here, stdio: ["ignore", "pipe", "inherit"] });
    const said = await new Promise<string>((resolve) => daemon.stdout.once("data", (text) => resolve(String(text))));
    expect(said).toContain(FIRST);
    const { stdout } = spawnSync(process.execPath, [cli.entry, "serve", "--status", "--json"], here);
    expect(JSON.parse(String(stdout))).toMatchObject({ pid: daemon.pid, firstStart: true });
    const exit = new Promise((resolve) => daemon.once("close", resolve));
    renameSync(elsewhere, project.dir);
    expect(await exit).toBe(1);
  } finally {
    if (!spawnSync("test", ["-d", project.dir]).status) rmSync(elsewhere, { recursive: true, force: true });
    else renameSync(elsewhere, project.dir);
  }
});

test("another folder in its place is served by another process, of what was accepted", async () => {
  connected = await project.connect(["--role", "tester"]);
  const pid = pidNow();
  expect(project.typed("serve", "--status").out).not.toContain(FIRST);
  const former = `${project.dir}-former`;
  renameSync(project.dir, former);
  cpSync(former, project.dir, { recursive: true, verbatimSymlinks: true });
  expect(await gone(pid)).toBe(true);
  expect(await echo("y")).toBe("Echo: y");
  expect(pidNow()).not.toBe(pid);
  rmSync(former, { recursive: true, force: true });
});
