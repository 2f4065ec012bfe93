import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type Connected, type ServedProject } from "../support/served-project.ts";

/** `rolecall asks` at a real terminal, which keeps a line until it is ended: `script` has one. */
const hasTerminal = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

let cli: BundledCli;
let project: ServedProject;
let connected: Connected;

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
serve: { idle: 1s, askHold: 20s, askTimeout: 60s }
servers:
  files: { connect: [{ stdio: [${process.execPath}, ${realServer("filesystem")}, .], cwd: . }], root: . }
roles:
  tester: { tools: { files: { include: [create_directory], ask: [create_directory] } } }
`,
  });
  connected = await project.connect(["--role", "tester"]);
}, 120_000);
afterAll(async () => {
  await connected?.client.close();
  project?.typed("serve", "--stop");
  project?.remove();
  cli?.remove();
});

test.skipIf(!hasTerminal)(
  "what was typed and not ended before a question, or as it came, is no part of its answer",
  async () => {
    const line = `exec '${process.execPath}' '${cli.entry}' asks`;
    const terminal = spawn("script", ["-qefc", line, "/dev/null"], { cwd: project.dir, env: project.env });
    let printed = "";
    terminal.stdout.on("data", (text: Buffer) => (printed += text.toString()));
    const ended = new Promise((resolve) => terminal.once("close", resolve));
    const prints = async (words: string, times: number): Promise<void> => {
      for (const end = Date.now() + 15_000; printed.split(words).length <= times;) {
        if (Date.now() > end) throw new Error(`it never printed: ${words}\n${printed}`);
        await pause(10);
      }
    };
    try {
      await prints("asks are shown here", 1);
      await pause(300);
      terminal.stdin.write("y");
      await pause(300);
      const call = connected.client.callTool({ name: "files__create_directory", arguments: { path: "made" } });
      await prints("or later?", 1);
      terminal.stdin.write("ye");
      await prints("or later?", 2);
      await pause(500);
      terminal.stdin.write("\n");
      await prints("left waiting", 1);
      expect(existsSync(path.join(project.dir, "made"))).toBe(false);
      terminal.stdin.write("\n");
      await prints("or later?", 3);
      await pause(500);
      terminal.stdin.write("y\n");
      await prints("it may go", 1);
      expect(await call).not.toMatchObject({ isError: true });
      expect(existsSync(path.join(project.dir, "made"))).toBe(true);
      // Ctrl+C is still what ends it.
      terminal.stdin.write("\u0003");
      expect(await ended).toBe(0);
    } finally {
      terminal.kill();
    }
  },
  60_000,
);

test.skipIf(!hasTerminal)(
  "what a call would send is shown as it is, also where commands of ours are spelled with npx",
  async () => {
    const folder = path.join(project.dir, "..", "called", "node_modules");
    mkdirSync(folder, { recursive: true });
    symlinkSync(path.dirname(cli.entry), path.join(folder, "rolecall"));
    const line = `exec '${process.execPath}' '${path.join(folder, "rolecall", path.basename(cli.entry))}' asks`;
    const env = { ...project.env, PATH: "/usr/bin:/bin" };
    const terminal = spawn("script", ["-qefc", line, "/dev/null"], { cwd: project.dir, env });
    let printed = "";
    terminal.stdout.on("data", (text: Buffer) => (printed += text.toString()));
    const prints = async (words: string): Promise<void> => {
      for (const end = Date.now() + 15_000; !printed.includes(words);) {
        if (Date.now() > end) throw new Error(`it never printed: ${words}\n${printed}`);
        await pause(10);
      }
    };
    try {
      await prints("asks are shown here");
      await pause(300);
      const call = connected.client.callTool({
        name: "files__create_directory",
        arguments: { path: "rolecall build" },
      });
      await prints("or later?");
      expect(printed).toContain('    path: "rolecall build"\r\n');
      await pause(500);
      terminal.stdin.write("n\n");
      expect(await call).toMatchObject({ isError: true });
    } finally {
      terminal.kill();
    }
  },
  60_000,
);

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
