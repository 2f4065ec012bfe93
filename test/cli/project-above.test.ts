import { chownSync, mkdirSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { callLine, jsonLines } from "../support/call-lines.ts";
import { captureProject, READER, type CaptureProject, type Ran } from "../support/capture-project.ts";

/** Every command works on the nearest project, here or above, and says where it lies when that isn't here. */
let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
  project.notes({}, READER);
  project.write("mcp/manifests/notes.json", '{"format":1,"server":"notes","tools":[{"name":"find","inputSchema":{}}]}');
  project.write("src/deep/app.ts", "");
});
afterEach(() => project.remove());

const SAID = "rolecall: the project in ../..\n";
const below = (...argv: string[]): Promise<Ran> => project.run(argv, { cwd: "src/deep" });

test.each([
  ["ls"],
  ["plan"],
  ["report", "--markdown"],
  ["inspect", "notes"],
  ["explain", "reader", "notes.find"],
  ["hosts"],
])("%s answers as it does at the root", async (...argv) => {
  const there = await project.run(argv);
  expect(there.err).not.toContain("the project in");
  expect(await below(...argv)).toEqual({ ...there, err: SAID + there.err });
});

test.runIf(process.getuid?.() === 0)("a project that another user put above is no project of ours", async () => {
  chownSync(path.join(project.dir, "rolecall.yaml"), 12_345, 12_345);
  const { exit, err } = await below("ls");
  expect([exit, err]).toEqual([1, expect.stringContaining("source/no-project")]);
  expect((await project.run(["ls", "--project", "../.."], { cwd: "src/deep" })).exit).toBe(0);
});

test("a build writes where the project is, and JSON stays JSON", async () => {
  const { exit, out, err } = await below("build", "--json");
  expect([exit, err]).toEqual([0, SAID]);
  expect(JSON.parse(out)).toMatchObject({ format: 1 });
  expect([project.has("src/mcp/access.json"), project.has("src/deep/src/mcp/access.json")]).toEqual([true, false]);
});

test("records of calls lie with the project, those that are named where they are named", async () => {
  const line = jsonLines([callLine()]);
  project.write(".runs/a/calls.jsonl", line);
  expect((await below("calls")).err).toBe(SAID);
  project.write("src/deep/own.jsonl", line);
  expect((await below("calls", "own.jsonl")).err).toBe("");
});

test("what is about no project says nothing of one", async () => {
  expect((await below("explain", "source/yaml")).err).toBe("");
  expect((await below("build", "--help")).err).toBe("");
});

test("the nearest one is taken, and a folder that is named is that folder", async () => {
  project.write("src/rolecall.yaml", "version: 1\nproject: inner\n");
  expect((await below("build")).err).toMatch(/^rolecall: the project in \.\.\n/);
  const named = await below("build", "--project", ".");
  expect([named.exit, named.err]).toEqual([1, expect.stringContaining("there is no rolecall.yaml here")]);
  expect(named.err).not.toContain("the project in");
});

test("a project whose file is spelt otherwise is no folder of the one above", async () => {
  project.write("src/deep/rolecall.yml", "version: 1\nproject: inner\n");
  const { exit, err } = await below("build");
  expect([exit, err]).toEqual([1, expect.stringContaining("there is no rolecall.yaml here")]);
});

test("a folder of that name is no project", async () => {
  mkdirSync(path.join(project.dir, "src", "rolecall.yaml"));
  expect((await below("ls")).err).toMatch(/^rolecall: the project in \.\.\/\.\.\n/);
});
