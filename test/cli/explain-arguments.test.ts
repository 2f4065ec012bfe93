import { fc } from "../support/generated.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tryArguments } from "../../compiler/3-plan/try-arguments.ts";
import type { Decision } from "../../compiler/3-plan/types.ts";
import { loadChecks } from "../../runtime/session/schemas.ts";
import { judgeOf } from "../../runtime/conditions.ts";
import type { ArgumentRule, JsonValue } from "../../runtime/contract.ts";
import { captureProject, type CaptureProject } from "../support/capture-project.ts";

/** `rolecall explain ROLE SERVER.TOOL --args JSON`: what a call with them would meet at run time. */
let project: CaptureProject;
beforeAll(() => {
  project = captureProject();
  project.write("rolecall.yaml", "version: 1\nproject: harbor\n");
  project.write(
    "mcp/team.yaml",
    `servers:
  files: { connect: [{ stdio: [f] }], root: "\${ROOT}" }
  rootless: { connect: [{ http: "https://files.example/mcp" }], manifest: files }
roles:
  writer:
    tools:
      files:
        include: [write]
        ask: [write]
        where: { write: { path: { glob: "tests/**" } } }
      rootless: { include: [write], where: { write: { path: { glob: "tests/**" } } } }
  tester:
    extends: [writer]
    tools:
      files:
        include: [read]
        where: { write: { path: { pattern: ".*[.]ts" }, mode: { enum: [w], optional: true } } }
policies:
  - { name: no secrets, roles: ["*"], tools: [files.write], where: { path: { pattern: "[a-z/.]*" } } }
`,
  );
  const text = { type: "string" };
  const write = { type: "object", properties: { path: text, mode: text }, required: ["path"] };
  project.write(
    "mcp/manifests/files.json",
    JSON.stringify({
      server: "files",
      tools: [
        {
          name: "read",
          inputSchema: { type: "object", properties: { path: text } },
          annotations: { readOnlyHint: true },
        },
        { name: "write", inputSchema: write },
      ],
    }),
  );
});
afterAll(() => project.remove());

const explain = async (args: string, role = "tester", tool = "files.write", env: Record<string, string> = {}) => {
  const { exit, out, err } = await project.run(["explain", role, tool, "--args", args, "--json"], { env });
  expect(err).toBe("");
  const { arguments: tried } = JSON.parse(out) as { arguments: Tried };
  return { exit, pass: tried.pass, refusedBy: tried.refusedBy.map((one) => [one.argument, one.condition]), tried };
};
interface Tried {
  readonly pass: boolean;
  readonly refusedBy: readonly {
    readonly argument: string;
    readonly condition: object | null;
    readonly why: string;
    readonly because: readonly {
      readonly by: string;
      readonly from: { readonly file: string; readonly line: number };
    }[];
  }[];
}

describe("as JSON", () => {
  const glob = { glob: "tests/**" };
  const ends = { pattern: ".*[.]ts" };
  const plain = { pattern: "[a-z/.]*" };
  test.each([
    ['{"path":"tests/a.ts"}', []],
    ['{"path":"./tests/a.ts","mode":"w"}', []],
    ['{"path":"src/a.ts"}', [["path", glob]]],
    [
      '{"path":"src/A.js"}',
      [
        ["path", glob],
        ["path", ends],
        ["path", plain],
      ],
    ],
    ['{"path":"tests/a.ts","mode":"x"}', [["mode", { enum: ["w"], optional: true }]]],
    ['{"path":"/etc/a.ts"}', [["path", glob]]],
    ['{"path":"tests/a.ts","other":1}', [["other", null]]],
    [
      "{}",
      [
        ["", null],
        ["path", glob],
        ["path", ends],
        ["path", plain],
      ],
    ],
    ["[]", [["", null]]],
    ["null", [["", null]]],
    ['{"path":"\\ud800"}', [["", null]]],
  ])("%s", async (args, refusedBy) => {
    const found = await explain(args);
    const order = (all: readonly unknown[]) => all.map((one) => JSON.stringify(one)).sort();
    expect(order(found.refusedBy)).toEqual(order(refusedBy));
    expect([found.pass, found.exit]).toEqual(refusedBy.length === 0 ? [true, 0] : [false, 2]);
  });

  test("each condition comes with who wrote it, and the line", async () => {
    const { tried } = await explain('{"path":"src/A.js"}');
    const from = tried.refusedBy.flatMap(({ because }) =>
      because.map(({ by, from: { file, line } }) => [by, file, line]),
    );
    expect(from.sort()).toEqual([
      ["no secrets", "mcp/team.yaml", 19],
      ["tester", "mcp/team.yaml", 17],
      ["writer", "mcp/team.yaml", 10],
    ]);
  });

  test("no arguments pass for a tool that isn't held", async () => {
    expect(await explain('{"path":"a"}', "writer", "files.read")).toMatchObject({
      exit: 2,
      pass: false,
      refusedBy: [],
    });
  });

  test("a tool without conditions is held to its pinned schema", async () => {
    expect(await explain('{"path":"/etc/passwd","more":1}', "tester", "files.read")).toMatchObject({
      exit: 0,
      pass: true,
    });
    expect(await explain('{"path":1}', "tester", "files.read")).toMatchObject({ exit: 2, refusedBy: [["", null]] });
  });

  test("an absolute path is judged below the root that this environment gives", async () => {
    const args = '{"path":"/srv/app/tests/a.ts"}';
    expect(await explain(args, "tester", "files.write", { ROOT: "/srv/app" })).toMatchObject({ pass: true });
    const { tried } = await explain(args);
    expect(tried).toMatchObject({ pass: false, rootless: expect.stringContaining("ROOT, which isn't set") });
  });

  test("where a server has no root, that is what to write", async () => {
    const { tried } = await explain('{"path":"/srv/a.ts"}', "writer", "rootless.write");
    expect(tried).toMatchObject({ pass: false, needsRoot: "rootless" });
    const { tried: relative } = await explain('{"path":"src/a.ts"}', "writer", "rootless.write");
    expect([relative.pass, Object.keys(relative)]).toEqual([false, ["pass", "refusedBy"]]);
  });

  test("without --args there is nothing about arguments, and 0", async () => {
    const { exit, out } = await project.run(["explain", "writer", "files.read", "--json"]);
    expect([exit, Object.keys(JSON.parse(out) as object)]).toEqual([0, expect.not.arrayContaining(["arguments"])]);
  });
});

describe("in words", () => {
  const said = async (...argv: string[]) => (await project.run(["explain", ...argv])).out;

  test("what refuses and the line that wrote it; what passes, and is asked", async () => {
    expect(await said("tester", "files.write", "--args", '{"path":"src/a.ts"}')).toContain(
      '\nthese arguments are refused\n  `path` doesn\'t match the glob `tests/**`\n    conditioned by writer: `write`\n    mcp/team.yaml:10  where: { write: { path: { glob: "tests/**" } } }\n',
    );
    expect(await said("tester", "files.write", "--args", '{"path":"tests/a.ts"}')).toContain(
      "\nthese arguments pass, and the call is asked\n",
    );
    expect(await said("tester", "files.read", "--args", "{}")).toContain("\nthese arguments pass\n");
    expect(await said("writer", "files.read", "--args", "{}")).toContain(
      "\nno arguments pass: the role doesn't hold the tool\n",
    );
  });

  test("a root that is to be written is the next step", async () => {
    expect(await said("writer", "rootless.write", "--args", '{"path":"/srv/a.ts"}')).toContain(
      "\n  next: write `root:` of server `rootless`, the folder that its paths are relative to\n",
    );
  });

  test("from a file, beside which one stands", async () => {
    project.write("src/call.json", '\ufeff{ "path": "tests/a.ts" }\n');
    const { exit } = await project.run(["explain", "tester", "files.write", "--args", "@call.json"], { cwd: "src" });
    expect(exit).toBe(0);
  });

  test("what a caller wrote can't move the cursor", async () => {
    const args = JSON.stringify({ path: "tests/a.ts", ["\u001b[2J"]: 1 });
    expect(await said("tester", "files.write", "--args", args)).toContain("`\\u001b[2J`");
  });

  test.each([
    [["tester", "files.write", "--args", "{"], "--args isn't JSON: "],
    [["tester", "files.write", "--args", "@nowhere.json"], "`nowhere.json` can't be read: "],
    [["files.write", "--args", "{}"], "--args are those of a call: it needs a role and a tool"],
    [["source/yaml", "--args", "{}"], "--args are those of a call: it needs a role and a tool"],
    [["tester", "files.write", "--args"], "--args needs a value: --args JSON"],
  ])("%j is wrong usage", async (argv, says) => {
    const { exit, err } = await project.run(["explain", ...argv]);
    expect([exit, err.startsWith(`rolecall: ${says}`)]).toEqual([64, true]);
  });
});

test("a call passes here if and only if it passes at run time", async () => {
  const checks = await loadChecks();
  const check = (schema: JsonValue, value: JsonValue) => checks(schema, false)(value);
  const satisfies = (schema: JsonValue, value: JsonValue) => check(schema, value) === undefined;
  const schema = {
    type: "object",
    properties: { a: {}, b: { type: "object", properties: { a: {} } }, c: { type: "array", items: {} } },
  };
  const condition = fc.constantFrom<ArgumentRule["conditions"][number][]>(
    { glob: "x/**" },
    { glob: "**", optional: true },
    { enum: ["x", 1, null, ["x"]] },
    { pattern: "x.*" },
    { schema: { type: "string" } },
    { schema: { maxLength: 1 }, optional: true },
  );
  const rule = fc.record({
    argument: fc.constantFrom("a", "b", "b.a", "c[]", "c", "d"),
    conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
  });
  const value = fc.constantFrom<JsonValue[]>("x", "x/y", "/x", "z", 1, null, [], ["x"], ["x", "z"], [["x"]], {
    a: "x",
  });
  const args = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), value);
  const passes = { yes: 0, no: 0 };
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 3 }), args, (where, call) => {
      const decision = { effect: "allow", where, because: [] } satisfies Decision;
      const trial = tryArguments({ decision, schema, args: call, root: undefined, check });
      const judged = judgeOf(where, { schema, satisfies })(JSON.parse(JSON.stringify(call)) as JsonValue, undefined);
      const isTaken = satisfies(schema, call) && judged.ok;
      expect(trial.pass).toBe(isTaken);
      expect(trial.refusedBy.length === 0).toBe(isTaken);
      passes[isTaken ? "yes" : "no"]++;
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(passes.yes, passes.no)).toBeGreaterThan(50);
});
