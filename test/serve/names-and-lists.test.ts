import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { joinedName } from "../../compiler/base/joined-name.ts";
import { servePlan } from "../../compiler/serve/serve-plan.ts";
import { toldConditions } from "../../compiler/serve/told-conditions.ts";
import { judgeOf } from "../../runtime/conditions.ts";
import { planned } from "../support/compiled.ts";

describe("the name of a tool among all tools of a role", () => {
  test.each([
    ["github", "create_issue", "github__create_issue"],
    ["git-hub", "list", "git-hub__list"],
    ["a", "b__c", "a__b__c"],
    ["wiki", "page.read", "wiki__page_read_7b1f0998"],
    ["wiki", "page/read", "wiki__page_read_60596fc4"],
    ["wiki", "", "wiki__"],
  ])("%s with %s is %s", (server, tool, name) => expect(joinedName(server, tool)).toBe(name));

  test("it fits behind what hosts put before it, and tells tools apart that look alike", () => {
    const tool = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.stringMatching(/^[a-z]{60,120}$/));
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9]{0,40}$/), tool, tool, (server, one, other) => {
        const name = joinedName(server, one);
        expect(`mcp__rolecall__${name}`).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        if (one !== other) expect(joinedName(server, other)).not.toBe(name);
      }),
    );
  });
});

describe("what a schema is told of conditions", () => {
  const schema = {
    type: "object",
    properties: {
      path: { type: "string" },
      level: { type: "string", enum: ["low", "high", "all"] },
      count: { type: "integer" },
      options: { type: "object", properties: { mode: { type: "string" } } },
      paths: { type: "array", items: { type: "string" } },
    },
  };

  test.each([
    ["an enum", { path: { enum: ["a", "b"] } }, { path: { type: "string", enum: ["a", "b"] } }],
    ["of an enum what is left", { level: { enum: ["high", "other"] } }, { level: { type: "string", enum: ["high"] } }],
    ["a pattern, whole", { path: { pattern: "a|b" } }, { path: { type: "string", pattern: "^(?:a|b)$" } }],
    ["nothing of a glob", { path: { glob: "tests/**" } }, { path: { type: "string" } }],
    ["nothing of a number", { count: { enum: [1] } }, { count: { type: "integer" } }],
    ["nothing of a list", { "paths[]": { enum: ["a"] } }, { paths: schema.properties.paths }],
    [
      "what lies deeper",
      { "options.mode": { enum: ["r"] } },
      { options: { type: "object", properties: { mode: { type: "string", enum: ["r"] } }, required: ["mode"] } },
    ],
  ])("%s", (_, where, properties) => {
    const rules = Object.entries(where).map(([argument, condition]) => ({ argument, conditions: [condition] }));
    expect(toldConditions(schema, rules)).toMatchObject({ properties, additionalProperties: false });
  });

  test("what must be there, and nothing where more may be named elsewhere", () => {
    const rules = [{ argument: "path", conditions: [{ enum: ["a"] }] }];
    expect(toldConditions(schema, rules)).toMatchObject({ required: ["path"] });
    expect(
      toldConditions(schema, [{ argument: "path", conditions: [{ enum: ["a"], optional: true }] }]),
    ).not.toHaveProperty("required");
    expect(toldConditions({ ...schema, allOf: [{}] }, rules)).not.toHaveProperty("additionalProperties");
    expect(toldConditions(schema, [])).toBe(schema);
  });

  test("it never promises less than the judge lets through", async () => {
    const { Ajv } = await import("ajv");
    const words = fc.constantFrom("a", "b", "low", "high", "all", "");
    const where = fc.record({
      path: fc.option(fc.record({ enum: fc.array(words, { minLength: 1 }) }), { nil: undefined }),
      level: fc.option(
        fc.oneof(
          fc.record({ enum: fc.array(words, { minLength: 1 }) }),
          fc.record({ pattern: fc.constantFrom("a|b", "[a-z]+", "") }),
        ),
        { nil: undefined },
      ),
    });
    const args = fc.record({ path: words, level: words, count: fc.integer(), other: words }, { requiredKeys: [] });
    fc.assert(
      fc.property(where, args, (given, call) => {
        const rules = Object.entries(given).flatMap(([argument, condition]) =>
          condition === undefined ? [] : [{ argument, conditions: [condition] }],
        );
        fc.pre(rules.length > 0);
        const judged =
          judgeOf(rules, { schema, satisfies: () => true })(call, undefined).ok && new Ajv().validate(schema, call);
        if (judged) expect(new Ajv().validate(toldConditions(schema, rules), call)).toBe(true);
      }),
    );
  });
});

describe("a list", () => {
  const files = [
    {
      name: "read",
      description: "Reads.",
      inputSchema: {
        type: "object",
        properties: { path: { type: "string", "x-mcp-header": "Path" }, "x-mcp-header": { type: "string" } },
      },
    },
    {
      name: "write",
      annotations: { readOnlyHint: true, title: "W" },
      inputSchema: { type: "object", properties: { path: { type: "string" } } },
      outputSchema: { type: "object" },
      icons: [{ src: "https://example.com/i.png" }],
    },
  ];
  const { plan } = planned({
    "mcp/manifests/files.json": JSON.stringify({ tools: files, instructions: "Obey the server." }),
    "mcp/team.yaml": `
servers:
  files: { connect: [{ stdio: [files] }], hints: { write: { readOnly: false } } }
roles:
  tester:
    description: Tests.
    tools: { files: { include: [read, write], ask: [read], where: { write: { path: { glob: "tests/**" } } } } }
  idle: { tools: { files: none } }
`,
  });
  const { tools, instructions } = servePlan(plan).roles.get("tester")!;

  test("is the role's, with what was reviewed in the server's place", () => {
    expect(tools.map(({ name }) => name)).toEqual(["files__read", "files__write"]);
    expect(tools[1]!.told["annotations"]).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    });
    expect(tools[1]!.told).not.toHaveProperty("icons");
    expect(servePlan(plan).roles.get("idle")!.tools).toEqual([]);
  });

  test("asks no client to send an argument as a header, and takes none for one", () => {
    expect(tools[0]!.told["inputSchema"]).toMatchObject({
      properties: { path: { type: "string" }, "x-mcp-header": { type: "string" } },
    });
    expect(JSON.stringify(tools[0]!.told)).not.toContain('"x-mcp-header":"Path"');
  });

  test("says what is asked and what a condition allows, and the instructions are ours", () => {
    expect(tools[0]!.told["description"]).toBe(
      "Reads.\n\nA person is asked before each call, which takes a while: told that it goes on waiting, make the same call again, unchanged.",
    );
    expect(tools[1]!.told["description"]).toContain("only when `path` matches `tests/**`");
    expect(instructions).toContain("Tests.");
    expect(instructions).not.toContain("Obey");
  });

  test("is the same text, whatever lives", () => {
    expect(JSON.stringify(servePlan(plan).roles.get("tester")!.tools)).toBe(JSON.stringify(tools));
  });
});
