import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundledCli, type BundledCli } from "../support/bundled-cli.ts";
import { realServer, servedProject, type ServedProject } from "../support/served-project.ts";

/** A program with one file for everything, in a person's own folder: its entry is started from anywhere, as the program does. */
let cli: BundledCli;
let project: ServedProject;
const folder = (): string => path.join(project.env["HOME"]!, ".config", "Claude");
const file = (): string => path.join(folder(), "claude_desktop_config.json");

beforeAll(async () => {
  cli = bundledCli();
  project = await servedProject(cli.entry, {
    "rolecall.yaml": `version: 1
project: harbor
hosts: [{ id: claude-desktop, role: tester, via: serve }]
serve: { idle: 1s }
servers:
  files: { connect: [{ stdio: [${process.execPath}, ${realServer("filesystem")}, .], cwd: . }], root: . }
roles:
  tester: { tools: { files: { include: [list_directory, read_text_file], where: { read_text_file: { path: { glob: "tests/**" } } } } } }
`,
  });
}, 120_000);
afterAll(() => {
  project.typed("serve", "--stop");
  project.remove();
  cli.remove();
});

const start = () => project.typed("start", "tester", "--host", "claude-desktop");

test("a program that was never opened has no folder, and none is made", () => {
  const { exit, err } = start();
  expect([exit, err]).toEqual([1, expect.stringContaining("start the program once")]);
});

test("the entry is put beside what is there, with whole paths, and is the same the next time", () => {
  mkdirSync(folder(), { recursive: true });
  const before = '{\n  // mine\n  "theme": "dark",\n  "mcpServers": { "mine": { "command": "mine" } }\n}\n';
  writeFileSync(file(), before, { mode: 0o600 });
  expect(start()).toMatchObject({ exit: 0, out: expect.stringContaining("quit Claude Desktop") });
  const text = readFileSync(file(), "utf8");
  expect(text).toContain('// mine\n  "theme": "dark"');
  expect(text).toContain('"mine": { "command": "mine" }');
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(start().out).toContain("already");
  expect(readFileSync(file(), "utf8")).toBe(text);
});

test("a client that reads the file, and starts in another folder, is served the role and no more", async () => {
  writeFileSync(file(), "{}\n");
  start();
  const { mcpServers } = JSON.parse(readFileSync(file(), "utf8")) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const entry = mcpServers["rolecall-harbor"]!;
  expect(path.isAbsolute(entry.command)).toBe(true);
  const client = new Client({ name: "claude-desktop", version: "1" });
  await client.connect(new StdioClientTransport({ ...entry, cwd: "/", env: project.env, stderr: "ignore" }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["files__list_directory", "files__read_text_file"]);
  const read = await client.callTool({ name: "files__read_text_file", arguments: { path: "src/one" } });
  expect(read.isError).toBe(true);
  await client.close();
}, 60_000);

test("a file that is no JSON stays as it is", () => {
  writeFileSync(file(), "{ broken");
  expect(start().exit).toBe(1);
  expect(readFileSync(file(), "utf8")).toBe("{ broken");
});

test("--print shows the entry, and changes nothing", () => {
  rmSync(file());
  const { exit, out } = project.typed("start", "tester", "--host", "claude-desktop", "--print");
  expect(exit).toBe(0);
  expect(out).toContain('"rolecall-harbor"');
  expect(statSync(file(), { throwIfNoEntry: false })).toBeUndefined();
});
