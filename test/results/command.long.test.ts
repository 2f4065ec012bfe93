import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { bundledCli } from "../support/bundled-cli.ts";
import { ROOT } from "../support/root.ts";

/** `rolecall results`, bundled, on modules that import the real Zod 3 and Zod 4. */

const cli = bundledCli();
afterAll(() => cli.remove());
let folder: string;
let count = 0;

const SOURCE = `# what we reach
servers:
  tracker:
    connect: [{ http: https://tracker.example.com/mcp }] # by the office
    owner: "@acme/tracker"

  # kept for the records
  notes: { connect: [{ http: https://notes.example.com/mcp }] }
roles:
  reader: { tools: { tracker: [list_issues, get_issue], notes: [search] } }
`;
const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

beforeEach(() => {
  folder = cli.folder(`results-${count++}`);
  write("rolecall.yaml", "version: 1\nproject: harbor\n");
  write("mcp/team.yaml", SOURCE);
  write(
    "mcp/manifests/tracker.json",
    JSON.stringify({ server: "tracker", tools: ["list_issues", "get_issue"].map(tool) }),
  );
  write("mcp/manifests/notes.json", JSON.stringify({ server: "notes", tools: [tool("search")] }));
  mkdirSync(path.join(folder, "node_modules"));
  symlinkSync(path.join(ROOT, "node_modules/zod"), path.join(folder, "node_modules/zod"));
  symlinkSync(path.join(ROOT, "node_modules/zod-3"), path.join(folder, "node_modules/zod3"));
  write(
    "results.mjs",
    `import { z } from "zod";
import { z as z3 } from "zod3";
await Promise.resolve();
export const list_issues = z.array(z.object({ id: z.number(), title: z.string() }));
export const get_issue = z3.object({ id: z3.number().refine((id) => id > 0) });
export const notes = { search: z3.object({ found: z3.tuple([z3.string(), z3.number()]) }) };
`,
  );
});

describe("rolecall results", () => {
  test("prints what both versions say", () => {
    const { exit, out, err } = cli.run("rolecall results results.mjs --server tracker", folder);
    expect(err).toBe(
      "note: `get_issue`: a check in code (`refine`) at `properties/id` isn't held: JSON Schema can't say it\n",
    );
    expect(out).toMatchInlineSnapshot(`
      "servers:
        tracker:
          results:
            get_issue:
              type: object
              properties: { id: { type: number } }
              required: [id]
            list_issues:
              type: array
              items:
                type: object
                properties: { id: { type: number }, title: { type: string } }
                required: [id, title]
        notes:
          results:
            search:
              "$schema": "http://json-schema.org/draft-07/schema#"
              type: object
              properties:
                found:
                  type: array
                  minItems: 2
                  maxItems: 2
                  items: [{ type: string }, { type: number }]
              required: [found]
      "
    `);
    expect(exit).toBe(0);
    expect(read("mcp/team.yaml")).toBe(SOURCE);
  });

  test("--write puts them beside what is there, and the project builds with them", () => {
    const { exit, out } = cli.run("rolecall results results.mjs --server tracker --write", folder);
    expect([exit, out]).toEqual([0, "wrote 3 results into mcp/team.yaml\nnext: rolecall build\n"]);
    expect(read("mcp/team.yaml")).toMatchInlineSnapshot(`
      "# what we reach
      servers:
        tracker:
          connect: [{ http: https://tracker.example.com/mcp }] # by the office
          owner: "@acme/tracker"
          results:
            get_issue:
              type: object
              properties: { id: { type: number } }
              required: [id]
            list_issues:
              type: array
              items:
                type: object
                properties: { id: { type: number }, title: { type: string } }
                required: [id, title]

        # kept for the records
        notes:
          connect: [{ http: "https://notes.example.com/mcp" }]
          results:
            search:
              "$schema": "http://json-schema.org/draft-07/schema#"
              type: object
              properties:
                found:
                  type: array
                  minItems: 2
                  maxItems: 2
                  items: [{ type: string }, { type: number }]
              required: [found]
      roles:
        reader: { tools: { tracker: [list_issues, get_issue], notes: [search] } }
      "
    `);
    expect(cli.run("rolecall build", folder).exit).toBe(0);
    expect(read("src/mcp/servers/tracker.ts")).toContain("title: string;");
    const again = read("mcp/team.yaml");
    cli.run("rolecall results results.mjs --server tracker --write", folder);
    expect(read("mcp/team.yaml")).toBe(again);
  });

  test("--write with other line ends, in a source that was edited since", () => {
    write(
      "mcp/team.yaml",
      SOURCE.replace("    owner", "    results:\n      get_issue: true # for now\n    owner").replaceAll("\n", "\r\n"),
    );
    expect(cli.run("rolecall results results.mjs --server tracker --write", folder).exit).toBe(0);
    const text = read("mcp/team.yaml");
    expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(text).toContain("# for now");
    expect(text).not.toContain("get_issue: true");
    expect(cli.run("rolecall build", folder).exit).toBe(0);
  });

  test("slips and what can't be said: the nearest, exit 1, and nothing is written", () => {
    write(
      "slips.mjs",
      `import { z } from "zod";
export const list_isues = z.string();
export const traker = { get_issue: z.string() };
export const get_issue = z.any();
`,
    );
    const { exit, out, err } = cli.run("rolecall results slips.mjs --server tracker --write", folder);
    expect([exit, out]).toEqual([1, ""]);
    expect(err.split("\n")).toEqual([
      "error: `get_issue`: accepts everything, and so would hold nothing",
      "error: `list_isues`: `list_isues` is not a tool of `tracker`; did you mean `list_issues`?",
      "error: `traker.get_issue`: `traker` is no server of the project; did you mean `tracker`?",
      "nothing was written",
      "",
    ]);
    expect(read("mcp/team.yaml")).toBe(SOURCE);
  });

  test.each([
    [
      "without --server, of two servers",
      "results.mjs",
      "list_issues`: names no server: say whose tool it is with --server NAME",
    ],
    ["a module that throws", "throws.mjs", "`throws.mjs` can't be loaded: no ink"],
    ["a module without schemas", "bare.mjs", "`bare.mjs` exports no schema of Zod"],
  ])("%s", (_, module, says) => {
    write("throws.mjs", 'throw new Error("no ink");\n');
    write("bare.mjs", "export const a = 1;\n");
    const { exit, err } = cli.run(`rolecall results ${module}`, folder);
    expect(exit).toBe(1);
    expect(err).toContain(says);
  });

  test.each([
    ["", "results takes one module"],
    ["gone.mjs", "`gone.mjs` isn't there"],
    ["a.ts", "TypeScript isn't loaded\n  build it to JavaScript first"],
  ])("wrong usage: %s", (module, says) => {
    write("a.ts", "");
    const { exit, err } = cli.run(`rolecall results ${module}`, folder);
    expect([exit, err]).toEqual([64, expect.stringContaining(says)]);
  });

  test("--json", () => {
    const { out } = cli.run("rolecall results results.mjs --server tracker --json", folder);
    const { format, servers, notes } = JSON.parse(out) as { format: number; servers: object; notes: object[] };
    expect([format, Object.keys(servers), notes.length]).toEqual([1, ["tracker", "notes"], 1]);
  });
});

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

function read(file: string): string {
  return readFileSync(path.join(folder, file), "utf8");
}
