import { symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { bundledCli } from "../support/bundled-cli.ts";
import { captureProject, NOTES, type CaptureProject } from "../support/capture-project.ts";
import { ROOT } from "../support/root.ts";

/** `rolecall results`, of tools whose server promises a result itself. */

const cli = bundledCli();
afterAll(() => cli.remove());
let project: CaptureProject;
beforeEach(() => {
  project = captureProject();
  symlinkSync(path.join(ROOT, "node_modules"), path.join(project.dir, "node_modules"), "dir");
  project.declare({ notes: '{ connect: [{ http: "https://notes.example/mcp" }] }' });
  const inputSchema = { type: "object" };
  const tools = [
    { name: "read_graph", inputSchema, outputSchema: { type: "object" } },
    { name: "list_notes", inputSchema },
  ];
  project.write(NOTES, JSON.stringify({ tools }));
});
afterEach(() => project.remove());

const results = (flag: string) => cli.run(`rolecall results schemas.mjs --server notes ${flag}`, project.dir);
const SAYS = "error: `read_graph`: `read_graph` has a result schema of its own: leave this export out\n";
const schemas = (...names: string[]) =>
  project.write(
    "schemas.mjs",
    `import * as z from "zod";\n${names.map((name) => `export const ${name} = z.object({ id: z.number() });\n`).join("")}`,
  );

test.each(["", "--write"])("the same is said with %s", (flag) => {
  schemas("read_graph", "list_notes");
  const before = project.read("rolecall.yaml");
  const { exit, err } = results(flag);
  expect([exit, err]).toEqual([1, expect.stringContaining(SAYS)]);
  expect(project.read("rolecall.yaml")).toBe(before);
});

test.each([
  ["leaves a timer open", "setInterval(() => {}, 1000);\n", 0],
  ["can't be loaded, and left one open", "setInterval(() => {}, 1000);\nthrow new Error('no');\n", 1],
])("a module that %s keeps nobody waiting, and all is written", (_, code, wanted) => {
  schemas("list_notes");
  const many = Array.from({ length: 4000 }, (__, i) => `field_${i}_of_many: z.string()`).join(",");
  project.write(
    "schemas.mjs",
    `${project.read("schemas.mjs").replace("id: z.number()", many)}globalThis.process.stdin.resume();\n${code}`,
  );
  const line = "timeout 20 rolecall results schemas.mjs --server notes --json; echo $? >&2";
  const { out, err } = cli.run(`(${line}) | (sleep 1; cat)`, project.dir);
  expect(err.trim().split("\n").at(-1)).toBe(`${wanted}`);
  if (wanted === 0) expect(JSON.stringify(JSON.parse(out)).length).toBeGreaterThan(100_000);
  else expect(err).toContain("`schemas.mjs` can't be loaded: no");
});

test("the others are written without it", () => {
  schemas("list_notes");
  expect(results("--write").exit).toBe(0);
  expect(project.read("rolecall.yaml")).toContain("list_notes:");
});

test("a source that has one for it is told to take it out", async () => {
  project.declare({
    notes: '{ connect: [{ http: "https://notes.example/mcp" }], results: { read_graph: { type: object } } }',
  });
  const { err } = await project.run(["build"]);
  expect(err).toContain("help: take `read_graph` out of `results`: the server's own is checked");
});
