import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { bundledCli } from "../support/bundled-cli.ts";
import { captureProject, type CaptureProject } from "../support/capture-project.ts";

/** Links that git can hold and pipes that another user can make: no command waits for one, or takes all memory. */

const cli = bundledCli();
let project: CaptureProject;
beforeAll(() => (project = captureProject()));
afterAll(() => {
  project.remove();
  cli.remove();
});
beforeEach(() => {
  rmSync(at(""), { recursive: true, force: true });
  mkdirSync(at(""));
});

const at = (file: string) => path.join(project.dir, "inner", file);
const put = (file: string, text: string) => project.write(`inner/${file}`, text);
/** A device is read by nobody who waits for no pipe; it is only made where the pipe was seen to be left. */
const strange = {
  pipe: (file: string) => execFileSync("mkfifo", [at(file)]),
  device: (file: string) => symlinkSync("/dev/zero", at(file)),
};
type Strange = keyof typeof strange;

const run = (line: string) => cli.run(`ulimit -v 16000000; timeout 10 rolecall ${line}`, at(""));
function inProject(folder = ""): void {
  const server = "servers:\n  notes: { connect: [{ http: https://notes.example/mcp }] }\n";
  const tools = [{ name: "add", description: "", inputSchema: { type: "object" } }];
  put(`${folder}rolecall.yaml`, "version: 1\nproject: inner\n");
  put(`${folder}mcp/all.yaml`, `${server}roles:\n  reader: { tools: { notes: all } }\n`);
  put(`${folder}mcp/manifests/notes.json`, JSON.stringify({ tools }));
  expect(cli.run("timeout 10 rolecall build", at(folder)).exit).toBe(0);
}

function make(file: string, kind: Strange = "pipe"): void {
  mkdirSync(path.dirname(at(file)), { recursive: true });
  strange[kind](file);
}

test.each<[string, string, Strange?]>([
  ["tsconfig.json", ""],
  ["tsconfig.json", "", "device"],
  ["package.json", '{"include":["src"]}'],
  ["base.json", '{"extends":"./base.json"}'],
  ["package.json", '{"extends":"some-package"}'],
  ["node_modules/some/package.json", '{"extends":"some/tsconfig"}'],
  ["node_modules/typescript/package.json", '{"include":["src"]}'],
])("as %s, with tsconfig.json %s: init and doctor", (file, config, kind) => {
  if (config !== "") put("tsconfig.json", config);
  make(file, kind);
  expect(run("init --yes").exit).toBe(0);
  expect([0, 1]).toContain(run("doctor").exit);
});

test.each<readonly [string, ...string[]]>([
  ["package.json"],
  ["base.json", "refers.json"],
  ["node_modules/typescript/package.json"],
])("as %s: unused", (...files: readonly string[]) => {
  inProject();
  put("tsconfig.json", '{"extends":"./base.json","files":["a.ts"],"references":[{"path":"./refers.json"}]}');
  put("a.ts", 'import data from "./package.json";\nexport const one = data;\n');
  for (const file of files) make(file);
  const { exit, out, err } = run("unused");
  expect([exit, err]).toEqual([0, ""]);
  expect(out).toContain("notes.add");
});

test.each<Strange>(["pipe", "device"])("a %s as what is imported, and as what is compared with", (kind) => {
  inProject();
  make(".mcp.json", kind);
  make("access.json", kind);
  const { exit, err } = run("import .mcp.json");
  expect([exit, err]).toEqual([64, expect.stringContaining("`.mcp.json` can't be read")]);
  expect(run("diff ./access.json").err).toContain("`./access.json` can't be read");
});

test("above: a pipe of another user's is no file of the project's", () => {
  inProject("app/");
  for (const file of ["tsconfig.json", "package.json"]) strange.pipe(file);
  mkdirSync(at("new"));
  expect(cli.run("timeout 10 rolecall init --yes", at("new")).exit).toBe(0);
  put("app/a.ts", "export const one = 1;\n");
  const { exit, out } = cli.run("timeout 10 rolecall unused", at("app"));
  expect([exit, out]).toEqual([0, expect.stringContaining("notes.add")]);
});
