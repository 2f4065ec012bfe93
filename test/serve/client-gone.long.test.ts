import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type ServedProject } from "../support/served-project.ts";

/** A client that leaves while the server of its call starts: what it would ask then, it doesn't. */
let cli: BundledCli;
let project: ServedProject;

/** It takes its time once this file is there. */
const SLOW = `if [ -e slow ]; then sleep 1.5; fi; exec ${process.execPath} ${realServer("filesystem")} .`;

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
serve: { idle: 20s, askTimeout: 20s, approvers: [program] }
servers:
  files: { connect: [{ stdio: ${JSON.stringify(["sh", "-c", SLOW])}, cwd: . }], root: . }
roles:
  tester: { tools: { files: { include: [create_directory], ask: [create_directory] } } }
`,
  });
  project.write("slow", "");
}, 120_000);
afterAll(() => {
  project.remove();
  cli.remove();
});

test.each(["ends its input", "is killed"])(
  "one that %s asks nobody, and nothing is done for it",
  async (how) => {
    project.typed("serve", "--stop");
    const stays = await project.connect(["--role", "tester"]);
    const approver = project.program();
    expect(await approver.line(0)).toEqual({ waiting: 0 });
    const shim = spawn(process.execPath, [cli.entry, "serve", "--role", "tester"], {
      cwd: project.dir,
      env: project.env,
    });
    const say = (message: object): void => void shim.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "a-host", version: "1" };
    say({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
    await new Promise((resolve) => shim.stdout.once("data", resolve));
    const call = (folder: string) => ({ name: "files__create_directory", arguments: { path: folder } });
    say({ id: 1, method: "tools/call", params: call("ghost") });
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (how === "is killed") shim.kill("SIGKILL");
    else shim.stdin.end();
    // The call of one that stays is asked, and it alone.
    const other = stays.client.callTool(call(how));
    const { id, hash, args } = await approver.line(1);
    expect(args).toEqual({ path: how });
    await new Promise((resolve) => setTimeout(resolve, 500));
    approver.say({ id, hash, yes: true, by: "kit" });
    expect(await approver.line(2)).toEqual({ id, done: true });
    expect((await other).isError).not.toBe(true);
    const isThere = (folder: string): boolean => existsSync(path.join(project.dir, folder));
    expect([isThere("ghost"), isThere(how)]).toEqual([false, true]);
    if (shim.exitCode === null && shim.signalCode === null) await new Promise((resolve) => shim.once("close", resolve));
    await approver.end();
    await stays.client.close();
  },
  60_000,
);
