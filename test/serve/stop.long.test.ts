import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { servePlace } from "../../compiler/io/serve/place.ts";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** What a person reads and gets who ends what serves a project, with clients there and the ten minutes of a project that sets none. */
let cli: BundledCli;
let project: ServedProject;
const open: Connected[] = [];

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
  for (const { client } of open.splice(0)) await client.close();
  project.typed("serve", "--stop");
});
afterAll(() => {
  project.remove();
  cli.remove();
});

async function connect(): Promise<Connected["client"]> {
  const connected = await project.connect(["--role", "tester"]);
  open.push(connected);
  return connected.client;
}

const echo = async (client: Connected["client"], message: string): Promise<string> => {
  const { content } = await client.callTool({ name: "one__echo", arguments: { message } });
  return (content as readonly { text: string }[])[0]!.text;
};

interface Status {
  readonly pid: number;
  readonly leaving: boolean;
  readonly clients: readonly object[];
  readonly others: readonly Status[];
}

const status = (): Status => JSON.parse(project.typed("serve", "--status", "--json").out) as Status;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const gone = async (pid: number): Promise<boolean> => {
  for (const end = Date.now() + 3_000; Date.now() < end && isAlive(pid);)
    await new Promise((resolve) => setTimeout(resolve, 25));
  return !isAlive(pid);
};

test.each(["--stop", "SIGTERM"])("by %s it is gone at once, with a client there", async (how) => {
  const client = await connect();
  expect(await echo(client, "x")).toBe("Echo: x");
  const { pid } = status();
  if (how === "--stop") project.typed("serve", "--stop");
  else process.kill(pid, how);
  expect(await gone(pid)).toBe(true);
});

test("one that handed over, and goes on for its client, is known as well as the one that came", async () => {
  const client = await connect();
  const { pid } = status();
  const http = await project.serveHttp();
  expect(await echo(client, "still")).toBe("Echo: still");
  const now = status();
  expect([now.pid, now.leaving, now.clients]).toEqual([http.pid, false, []]);
  expect(now.others).toMatchObject([{ pid, leaving: true, clients: [{ role: "tester", client: "a-test 7" }] }]);
  expect(project.typed("serve", "--status").out).toContain(
    `process ${pid}, rolecall 0.1.0, goes on for the clients that it has\n`,
  );
  const { exit, out, err } = project.typed("serve", "--stop");
  expect([exit, err]).toEqual([0, ""]);
  expect(out).toContain("2 processes have ended, and their servers with them\n");
  expect(out).toContain("1 client was there: the next call of one starts another\n");
  expect([await gone(pid), await gone(http.pid)]).toEqual([true, true]);
  expect(project.typed("serve", "--status").exit).toBe(3);
  expect(readdirSync(servePlace(project.dir, project.env).folder)).toEqual(["log"]);
});

test("it is known and ended where the one that came is gone, and what a killed one left isn't", async () => {
  const client = await connect();
  const { pid } = status();
  const http = await project.serveHttp();
  await http.end();
  expect(status()).toMatchObject({ pid, leaving: true, clients: [{ role: "tester" }], others: [] });
  expect(await echo(client, "still")).toBe("Echo: still");
  process.kill(pid, "SIGKILL");
  expect(await gone(pid)).toBe(true);
  expect(project.typed("serve", "--status").exit).toBe(3);
  expect(project.typed("serve", "--stop")).toMatchObject({ exit: 0, out: "" });
  expect(await echo(client, "anew")).toBe("Echo: anew");
  expect(readdirSync(servePlace(project.dir, project.env).folder).toSorted()).toEqual(["clients", "inbox", "log"]);
});

test("what gives no answer isn't said to have ended, nor to serve", async () => {
  const { folder } = servePlace(project.dir, project.env);
  const silent = createServer((socket) => void socket.on("error", () => {}).once("data", () => socket.destroy()));
  await new Promise<void>((resolve) => silent.listen(path.join(folder, "inbox"), resolve));
  try {
    const [stopped, shown] = await Promise.all([typed("--stop"), typed("--status")]);
    expect(stopped).toMatchObject({ exit: 1, out: "", err: expect.stringContaining("hasn't ended") });
    expect(shown).toMatchObject({ exit: 3, out: "", err: expect.stringContaining("gives no answer") });
  } finally {
    await new Promise((resolve) => silent.close(resolve));
  }
});

/** Without holding up who is to answer it. */
async function typed(flag: string): Promise<{ exit: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [cli.entry, "serve", flag], { cwd: project.dir, env: project.env });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text: Buffer) => (out += text.toString()));
  child.stderr.on("data", (text: Buffer) => (err += text.toString()));
  const exit = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { exit, out, err };
}
