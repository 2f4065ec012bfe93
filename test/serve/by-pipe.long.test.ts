import { spawn } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type ServedProject } from "../support/served-project.ts";

/** `printf ... | rolecall serve --role R`: the input has ended before the first answer. */
let cli: BundledCli;
let project: ServedProject;

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
serve: { idle: 1s }
servers:
  everything: { connect: [{ stdio: [${process.execPath}, ${realServer("everything")}, stdio], cwd: . }] }
roles:
  tester: { tools: { everything: [echo, trigger-long-running-operation] } }
`,
  });
}, 120_000);
afterAll(() => {
  project.typed("serve", "--stop");
  project.remove();
  cli.remove();
});

test("a call that was cancelled keeps nobody, and is answered by nobody", async () => {
  const shim = spawn(process.execPath, [cli.entry, "serve", "--role", "tester"], {
    cwd: project.dir,
    env: project.env,
  });
  let out = "";
  shim.stdout.on("data", (text: Buffer) => (out += text.toString()));
  const say = (message: object): void => void shim.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "a-pipe", version: "1" };
  say({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  const name = "everything__trigger-long-running-operation";
  say({ id: 1, method: "tools/call", params: { name, arguments: { duration: 60, steps: 2 } } });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  say({ method: "notifications/cancelled", params: { requestId: 1 } });
  const began = Date.now();
  shim.stdin.end();
  await new Promise((resolve) => shim.once("close", resolve));
  expect(Date.now() - began).toBeLessThan(4_000);
  expect(out).not.toContain('"id":1');
});

test("who sends requests by a pipe has the answers, and is told what was given up", async () => {
  const piped = async (...messages: readonly object[]): Promise<readonly Record<string, unknown>[]> => {
    const shim = spawn(process.execPath, [cli.entry, "serve", "--role", "tester"], {
      cwd: project.dir,
      env: project.env,
    });
    let out = "";
    shim.stdout.on("data", (text: Buffer) => (out += text.toString()));
    shim.stdin.end(messages.map((message, id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`).join(""));
    expect(await new Promise((resolve) => shim.once("close", resolve))).toBe(0);
    return out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const calling = (name: string, args: object): object => ({ method: "tools/call", params: { name, arguments: args } });
  const initialize = {
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a-pipe", version: "1" } },
  };
  const echoed = await piped(initialize, { method: "tools/list" }, calling("everything__echo", { message: "piped" }));
  expect(echoed.map(({ id }) => id)).toEqual([0, 1, 2]);
  expect(JSON.stringify(echoed[2])).toContain("Echo: piped");
  const slow = calling("everything__trigger-long-running-operation", { duration: 60, steps: 2 });
  const [, givenUp] = await piped(initialize, slow);
  expect(givenUp).toMatchObject({
    id: 1,
    error: { message: expect.stringContaining("input of rolecall serve has ended") },
  });
});

test("who ends its input and reads no answer keeps the process for some seconds, and no longer", async () => {
  const shim = spawn(process.execPath, [cli.entry, "serve", "--role", "tester"], {
    cwd: project.dir,
    env: project.env,
  });
  let wrong = "";
  shim.stderr.on("data", (text: Buffer) => (wrong += text.toString()));
  const lists = Array.from({ length: 3_000 }, (_, id) => `{"jsonrpc":"2.0","id":${id + 1},"method":"tools/list"}\n`);
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a-pipe", version: "1" } };
  shim.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params })}\n${lists.join("")}`);
  const began = Date.now();
  expect(await new Promise((resolve) => shim.once("exit", resolve))).toBe(1);
  expect(Date.now() - began).toBeLessThan(20_000);
  expect(wrong).toContain("nobody reads what is answered");
  shim.stdout.destroy();
}, 40_000);
