import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { engine } from "../../compiler/cli/engine.ts";
import { heldTools } from "../../compiler/usage/judge.ts";
import { openApp, run, SOURCES, type App } from "./app.ts";

/** The command as a person meets it: what it finds, what it writes, and that the plan then holds the rest and no more. */

const apps: App[] = [];
afterEach(() => apps.splice(0).forEach((app) => app.close()));

const HEAD =
  'import { team } from "./mcp/index.js";\nconst t = team();\nconst tester = t.as("tester");\nconst lead = t.as("lead");\n';

async function appWith(roles: string, code: string, more: Readonly<Record<string, string>> = {}): Promise<App> {
  const app = await openApp({
    ...SOURCES,
    "rolecall.yaml": "version: 1\nproject: harbor\n",
    "mcp/roles.yaml": roles,
    ...more,
  });
  apps.push(app);
  app.write({ "src/app.ts": HEAD + code });
  return app;
}

const rolesOf = ({ dir }: App): string => readFileSync(path.join(dir, "mcp/roles.yaml"), "utf8");

async function heldIn({ dir }: App): Promise<string[]> {
  const { plan } = await engine.compile(dir);
  return heldTools(plan).map(({ role, server, tool }) => `${role}.${server}.${tool}`);
}

const LEAD = "  lead:\n    tools: { files: [read_file] }\n";
const USE = "await lead.files.read_file();\n";

describe("what --write makes of an entry", () => {
  const entries: readonly (readonly [name: string, entry: string, code: string, after: string])[] = [
    ["a list", "[get_issue, list_issues]", "tester.tracker.get_issue()", "tracker: [get_issue]"],
    [
      "a list on lines, with comments",
      "\n        # reads\n        - get_issue # one\n        - list_issues # many",
      "tester.tracker.get_issue()",
      "# reads\n        - get_issue # one\n  lead:",
    ],
    ["a glob, most of it unused", '["*_issue", list_issues]', "tester.tracker.get_issue()", "tracker: [get_issue]"],
    [
      "a glob, most of it used",
      '["*_issue*"]',
      "tester.tracker.get_issue(); tester.tracker.list_issues(); tester.tracker.create_issue()",
      'tracker: { include: ["*_issue*"], exclude: [delete_issue] }',
    ],
    [
      "a glob in a list with a comment",
      '\n        - "*_issue*" # all of them',
      "tester.tracker.get_issue(); tester.tracker.list_issues(); tester.tracker.create_issue()",
      "# all of them",
    ],
    ["all, most unused", "all", "tester.tracker.get_issue()", "tracker: [get_issue]"],
    [
      "all, most used",
      "all",
      "tester.tracker.get_issue(); tester.tracker.list_issues(); tester.tracker.create_issue(); tester.tracker.merge()",
      'tracker: { include: ["*"], exclude: [delete_issue] }',
    ],
    [
      "an exclude, most used",
      "{ exclude: [merge] }",
      "tester.tracker.get_issue(); tester.tracker.list_issues(); tester.tracker.create_issue()",
      "tracker: { exclude: [merge, delete_issue] }",
    ],
    [
      "an exclude, most unused",
      "{ exclude: [merge] }",
      "tester.tracker.get_issue()",
      "tracker: { include: [get_issue] }",
    ],
    [
      "an entry with ask and where",
      "{ include: [get_issue, create_issue, merge], ask: [create_issue, merge], where: { create_issue: { a: { enum: [x] } } } }",
      "tester.tracker.get_issue(); tester.tracker.merge()",
      "tracker: { include: [get_issue, merge], ask: [merge] }",
    ],
    [
      "an entry of which nothing is used",
      "[get_issue]\n      files: [read_file]",
      "tester.files.read_file()",
      "tools:\n      files: [read_file]",
    ],
  ];

  test.each(entries)("%s", async (_, entry, code, after) => {
    const app = await appWith(`roles:\n  tester:\n    tools:\n      tracker: ${entry}\n${LEAD}`, `${USE}${code};\n`);
    const before = await heldIn(app);
    const { roles } = JSON.parse((await run(["unused", "--json"], app.dir)).printed) as {
      roles: { role: string; tools: { server: string; tool: string; state: string }[] }[];
    };
    const unused = roles.flatMap(({ role, tools }) =>
      tools.filter(({ state }) => state === "unused").map(({ server, tool }) => `${role}.${server}.${tool}`),
    );
    expect(unused).not.toEqual([]);
    const { exit } = await run(["unused", "--write"], app.dir);
    expect(exit).toBe(0);
    expect(rolesOf(app)).toContain(after);
    expect(await heldIn(app)).toEqual(before.filter((one) => !unused.includes(one)));
    expect(await run(["build"], app.dir)).toMatchObject({ exit: 0 });
    expect((await run(["unused", "--check"], app.dir)).exit).toBe(0);
  });
});

test("a role with keep is left alone, and says why", async () => {
  const roles = `roles:\n  tester:\n    keep: on call, seldom used\n    tools:\n      tracker: [get_issue]\n${LEAD}`;
  const app = await appWith(roles, USE);
  const { exit, printed } = await run(["unused", "--check"], app.dir);
  expect(printed).toContain("on call, seldom used");
  expect(exit).toBe(0);
  expect(rolesOf(app)).toBe(roles);
});

test("what a child uses stays with its parent, and is told", async () => {
  const roles =
    "roles:\n  lead:\n    tools:\n      tracker: [get_issue, list_issues, merge]\n      files: [read_file]\n  tester:\n    extends: lead\n";
  const app = await appWith(roles, `${USE}await tester.tracker.get_issue();\n`);
  const { printed } = await run(["unused", "--write"], app.dir);
  expect(rolesOf(app)).toContain("tracker: [get_issue]");
  expect(printed).toContain("`tester` inherits it and may use it: mcp/roles.yaml:4");
  expect(await heldIn(app)).toEqual([
    "lead.files.read_file",
    "lead.tracker.get_issue",
    "tester.files.read_file",
    "tester.tracker.get_issue",
  ]);
});

test("an edit after which the project has an error isn't made", async () => {
  const app = await appWith(
    `roles:\n  tester:\n    tools:\n      tracker: [get_issue, merge]\n${LEAD}`,
    `${USE}await tester.tracker.get_issue();\n`,
    {
      "mcp/rules.yaml": "invariants:\n  - { name: testers merge, can: { roles: [tester], tools: [tracker.merge] } }\n",
    },
  );
  const before = rolesOf(app);
  const { printed } = await run(["unused", "--write"], app.dir);
  expect(printed).toContain("the project wouldn't hold without it");
  expect(printed).toContain("nothing was written");
  expect(rolesOf(app)).toBe(before);
});

test("a project whose generated code is old can't be checked", async () => {
  const app = await appWith(`roles:\n  tester:\n    tools:\n      tracker: [get_issue]\n${LEAD}`, USE);
  app.write({ "mcp/roles.yaml": `roles:\n  tester:\n    tools:\n      tracker: [get_issue, merge]\n${LEAD}` });
  const { exit, printed } = await run(["unused"], app.dir);
  expect(printed).toContain("isn't up to date");
  expect(exit).toBe(3);
});

describe("with a record", () => {
  const line = (role: string, tool: string, more: object = {}): string =>
    `${JSON.stringify({ ts: "2026-03-01T10:00:00.000Z", role, server: "tracker", tool, status: "ok", duration_ms: 1, ...more })}\n`;
  const roles = `roles:\n  tester:\n    tools:\n      tracker: [get_issue, merge]\n${LEAD}`;
  const offered = `${USE}await tester.$tools();\n`;

  test("a role that a model is given is judged by it", async () => {
    const app = await appWith(roles, offered, {
      "a.jsonl": line("tester", "get_issue"),
      "b.jsonl": line("tester", "delete_issue", { status: "error", code: "tool-denied" }),
    });
    expect((await run(["unused"], app.dir)).printed).toContain("tester  2 grants         $tools");
    for (const records of [
      ["--calls", "a.jsonl", "--calls", "b.jsonl"],
      ["--calls", "a.jsonl", "b.jsonl", "tester"],
    ]) {
      const { printed, exit } = await run(["unused", "--check", ...records], app.dir);
      expect(printed).toMatch(/tester {2}tracker\.merge +merge mcp\/roles\.yaml:4 +never/);
      expect(printed).toMatch(/tester {2}tracker\.delete_issue +called once/);
      expect(exit).toBe(2);
    }
    const stranger = await run(["unused", "a.jsonl"], app.dir);
    expect([stranger.exit, stranger.printed]).toEqual([64, expect.stringContaining("there is no role `a.jsonl`")]);
  });

  test("a record without the role says nothing of it, and neither does one that is too old", async () => {
    const app = await appWith(roles, offered, {
      "a.jsonl": line("lead", "get_issue"),
      "b.jsonl": line("tester", "get_issue"),
    });
    expect((await run(["unused", "--check", "--calls", "a.jsonl"], app.dir)).exit).toBe(0);
    expect((await run(["unused", "--check", "--calls", "b.jsonl"], app.dir)).exit).toBe(2);
    expect((await run(["unused", "--check", "--calls", "b.jsonl", "--since", "2026-03-02"], app.dir)).exit).toBe(0);
  });

  test("a call that was made is a use, whatever code says", async () => {
    const app = await appWith(roles, `${USE}await tester.tracker.get_issue();\n`, {
      "a.jsonl": line("tester", "merge"),
    });
    expect((await run(["unused", "--check"], app.dir)).exit).toBe(2);
    expect((await run(["unused", "--check", "--calls", "a.jsonl"], app.dir)).exit).toBe(0);
  });
});

test.each([["--write"], ["--check"], []])(
  "with no code and no record nothing is known, and nothing written: %s",
  async (...flags) => {
    const app = await openApp({ ...SOURCES, "rolecall.yaml": "version: 1\nproject: harbor\n" });
    apps.push(app);
    const before = rolesOf(app);
    const { exit, printed } = await run(["unused", ...flags], app.dir);
    expect([exit, printed]).toEqual([3, expect.stringContaining("there is no code to read and no record")]);
    expect(rolesOf(app)).toBe(before);
  },
);

test("what code asks for and isn't held", async () => {
  const app = await appWith(
    `roles:\n  tester:\n    tools:\n      tracker: [get_issue]\n${LEAD}`,
    `${USE}await (tester.tracker as any).merge();\nawait tester.$call("files", "write_file" as never);\nawait tester.tracker.get_issue();\n`,
  );
  const { printed } = await run(["unused"], app.dir);
  expect(printed).toMatch(/tester {2}tracker\.merge +in code: src\/app\.ts:6/);
  expect(printed).toMatch(/tester {2}files\.write_file +in code: src\/app\.ts:7/);
});

test("hosts that read files give a role to a model", async () => {
  const app = await appWith(
    `roles:\n  tester:\n    builtins: { claude-code: [Read] }\n    tools:\n      tracker: [get_issue]\n${LEAD.replace("tools:", "builtins: { claude-code: [Read] }\n    tools:")}`,
    "",
    {
      "rolecall.yaml": "version: 1\nproject: harbor\nhosts: [claude-code]\n",
    },
  );
  const { exit, printed } = await run(["unused", "--check"], app.dir);
  expect(printed).toMatch(/tester {2}1 grant +claude-code/);
  expect(exit).toBe(0);
});
