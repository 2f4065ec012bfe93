import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import {
  escapeArgumentName,
  judgeOf,
  parseArgumentPath,
  type JudgedTool,
  type Judgement,
} from "../../runtime/conditions.ts";
import type { ArgumentRule, Condition, JsonValue } from "../../runtime/contract.ts";

interface Context extends JudgedTool {
  readonly root: string | undefined;
}

/** `satisfies` stands in for a JSON Schema validator: it knows `type` and nothing else. */
const context: Context = {
  root: "/srv/app",
  schema: JSON.parse(
    `{ "properties": { ${["path", "paths", "options", "edits", "repo", "prop.dot", "__proto__", "constructor", "n"].map((name) => `"${name}": {}`).join()} } }`,
  ) as JsonValue,
  satisfies: (schema, value) =>
    (schema as { type?: string }).type === (Array.isArray(value) ? "array" : value === null ? "null" : typeof value),
};

function judge(rules: readonly ArgumentRule[], args: JsonValue, { root, ...tool }: Context): Judgement {
  return judgeOf(rules, tool)(args, root);
}

function verdict(
  argument: string,
  conditions: Condition | readonly Condition[],
  args: unknown,
  more?: Partial<Context>,
): string {
  const rule = {
    argument,
    conditions: Array.isArray(conditions) ? (conditions as readonly Condition[]) : [conditions as Condition],
  };
  const judgement = judge([rule], args as JsonValue, { ...context, ...more });
  return judgement.ok ? "ok" : judgement.why;
}

const tests: Condition = { glob: "tests/**" };

describe("presence and kind", () => {
  test.each([
    ["left out", { ...tests }, {}, "`path` is left out"],
    ["left out, optional", { ...tests, optional: true }, {}, "ok"],
    ["left out, optional in one of two", [{ ...tests, optional: true }, tests], {}, "`path` is left out"],
    [
      "left out, optional in both",
      [
        { ...tests, optional: true },
        { enum: ["a"], optional: true },
      ],
      {},
      "ok",
    ],
    [
      "optional, but there",
      { ...tests, optional: true },
      { path: "src/a" },
      "`path` doesn't match the glob `tests/**`",
    ],
    ["optional is only true", { ...tests, optional: "yes" as unknown as boolean }, {}, "`path` is left out"],
    ["null is a value", { ...tests, optional: true }, { path: null }, "`path` isn't text"],
    ["a number", tests, { path: 1 }, "`path` isn't text"],
    ["an object", tests, { path: { toString: "tests/a" } }, "`path` isn't text"],
    ["an empty list, optional", { ...tests, optional: true }, { path: [] }, "`path` is an empty list"],
    ["a list of texts", tests, { path: ["tests/a", "tests/b"] }, "ok"],
    ["a list with one outside", tests, { path: ["tests/a", "src/b"] }, "`path` doesn't match the glob `tests/**`"],
    ["a list with null", tests, { path: ["tests/a", null] }, "`path` isn't text"],
    ["a list of lists", tests, { path: [["tests/a"]] }, "`path` is a list of lists"],
    ["a list and a list in it", tests, { path: ["tests/a", ["tests/a"]] }, "`path` is a list of lists"],
    ["two conditions, both", [tests, { pattern: ".*\\.ts" }], { path: "tests/a.ts" }, "ok"],
    [
      "two conditions, one",
      [tests, { pattern: ".*\\.ts" }],
      { path: "tests/a.js" },
      "`path` doesn't match the pattern `.*\\.ts`",
    ],
    [
      "two in one",
      { glob: "tests/**", enum: ["tests/a"] },
      { path: "tests/b" },
      "`path` isn't one of the allowed values",
    ],
    [
      "an argument that the schema lacks",
      tests,
      { path: "tests/a", other: 1 },
      "the tool's schema doesn't name `other`",
    ],
    ["arguments that are a list", tests, ["tests/a"], "the arguments aren't an object"],
    ["arguments that are null", tests, null, "the arguments aren't an object"],
    ["no condition", [], { path: "tests/a" }, "`path` has a rule that says nothing"],
    ["an empty condition", {}, { path: "tests/a" }, "`path` has a condition that says nothing"],
    ["only optional", { optional: true }, { path: "tests/a" }, "`path` has a condition that says nothing"],
    [
      "a kind of tomorrow",
      { ...tests, prefix: "x" } as Condition,
      { path: "tests/a" },
      "`path` has a condition of an unknown kind",
    ],
  ])("%s", (_, conditions, args, want) => {
    expect(verdict("path", conditions, args)).toBe(want);
  });

  test.each([
    ["options.path", { options: { path: "tests/a" } }, "ok"],
    ["options.path", { options: { path: "src/a" } }, "`options.path` doesn't match the glob `tests/**`"],
    ["options.path", { options: {} }, "`options.path` is left out"],
    ["options.path", {}, "`options.path` is left out"],
    ["options.path", { options: null }, "`options.path` isn't there: what should hold it is no object"],
    ["options.path", { options: "tests/a" }, "`options.path` isn't there: what should hold it is no object"],
    [
      "options.path",
      { options: [{ path: "tests/a" }] },
      "`options.path` isn't there: what should hold it is no object",
    ],
    ["edits[].path", { edits: [{ path: "tests/a" }, { path: "tests/b" }] }, "ok"],
    [
      "edits[].path",
      { edits: [{ path: "tests/a" }, { path: "src/b" }] },
      "`edits[].path` doesn't match the glob `tests/**`",
    ],
    ["edits[].path", { edits: [{ path: "tests/a" }, {}] }, "`edits[].path` is left out"],
    ["edits[].path", { edits: [] }, "`edits[].path` is an empty list"],
    ["edits[].path", { edits: { 0: { path: "tests/a" } } }, "`edits[].path` isn't a list"],
    ["edits[].path", { edits: [[{ path: "tests/a" }]] }, "`edits[].path` is a list of lists"],
    [
      "edits[].path",
      { edits: [{ path: "tests/a" }, null] },
      "`edits[].path` isn't there: what should hold it is no object",
    ],
    ["edits[].paths", { edits: [{ paths: ["tests/a"] }] }, "ok"],
    ["paths[]", { paths: ["tests/a"] }, "ok"],
    ["paths[]", { paths: "tests/a" }, "`paths[]` isn't a list"],
    ["paths[]", { paths: [["tests/a"]] }, "`paths[]` is a list of lists"],
    ["prop\\.dot", { "prop.dot": "tests/a" }, "ok"],
    ["prop\\.dot", { "prop.dot": "src/a" }, "`prop\\.dot` doesn't match the glob `tests/**`"],
    ["constructor", {}, "`constructor` is left out"],
    ["__proto__", {}, "`__proto__` is left out"],
    ["__proto__", JSON.parse('{"__proto__":"tests/a"}'), "ok"],
    ["options.__proto__.path", JSON.parse('{"options":{}}'), "`options.__proto__.path` is left out"],
    ["paths[].length", { paths: ["tests/a"] }, "`paths[].length` isn't there: what should hold it is no object"],
    ["a..b", { path: "tests/a" }, "`a..b` isn't the path of an argument"],
  ])("%s of %j", (argument, args, want) => {
    expect(verdict(argument, tests, args)).toBe(want);
  });

  test("an optional way may end early, and each element for itself", () => {
    const optional = { ...tests, optional: true };
    expect(verdict("options.path", optional, {})).toBe("ok");
    expect(verdict("options.path", optional, { options: null })).not.toBe("ok");
    expect(verdict("edits[].path", optional, { edits: [{}, { path: "tests/a" }] })).toBe("ok");
    expect(verdict("edits[].path", optional, { edits: [{}, { path: "src/a" }] })).not.toBe("ok");
    expect(verdict("edits[].path", optional, { edits: [] })).not.toBe("ok");
  });

  test("without a rule nothing is judged; with several all are", () => {
    expect(judge([], { anything: 1 }, context)).toEqual({ ok: true });
    const rules = [
      { argument: "path", conditions: [tests] },
      { argument: "repo", conditions: [{ enum: ["harbor"] }] },
    ];
    expect(judge(rules, { path: "tests/a", repo: "harbor" }, context)).toEqual({ ok: true });
    expect(judge(rules, { path: "tests/a", repo: "other" }, context)).toEqual({
      ok: false,
      argument: "repo",
      why: "`repo` isn't one of the allowed values",
    });
    expect(judge(rules, { path: "tests/a" }, context)).toEqual({
      ok: false,
      argument: "repo",
      why: "`repo` is left out",
    });
  });
});

describe("enum, pattern, schema", () => {
  test.each<[JsonValue[], unknown, boolean]>([
    [["a"], "a", true],
    [["a"], "A", false],
    [["a"], "a ", false],
    [["1"], 1, false],
    [[1], 1.0, true],
    [[0], -0, true],
    [[null], null, true],
    [["null"], null, false],
    [[true], "true", false],
    [[{ a: 1, b: [2] }], { b: [2], a: 1 }, true],
    [[{ a: 1 }], { a: 1, b: 2 }, false],
    [[{ a: 1, b: 2 }], { a: 1 }, false],
    [[{}], { constructor: 1 }, false],
    [[JSON.parse('{"__proto__":1}') as JsonValue], {}, false],
    [[JSON.parse('{"__proto__":{}}') as JsonValue], { a: {} }, false],
    [[{ a: {} }], JSON.parse('{"__proto__":{}}'), false],
    [["a", "b"], ["a", "b", "a"], true],
    [["a", "b"], ["a", "c"], false],
    [[["a", "c"]], ["a", "c"], false],
    [[["a", "c"]], ["c", "a"], false],
    [[[]], [], false],
    [[[["a"]]], [["a"]], false],
    [["\u00e9"], "e\u0301", false],
    [[], "a", false],
  ])("enum %j and %j: %j", (allowed, path, want) => {
    expect(verdict("path", { enum: allowed }, { path }) === "ok").toBe(want);
  });

  test.each([
    ["[a-z]+", "abc", true],
    ["[a-z]+", "abc1", false],
    ["[a-z]+", "1abc", false],
    ["[a-z]+", "abc\n", false],
    ["a|b", "b", true],
    ["a|b", "ab", false],
    ["a|ab", "ab", true],
    ["^a$", "a", true],
    [".", "\u{1f600}", true],
    [".*", "a\nb", false],
    ["\\p{L}+", "h\u00e9", true],
    ["(?:", "(?:", false],
    ["a)|(?:b", "b", false],
    ["a)|(?:.*", "anything", false],
    [".*", "a".repeat(4096), true],
    [".*", "a".repeat(4097), false],
    ["", "", true],
    ["", "a", false],
  ])("pattern %j and %j: %j", (pattern, path, want) => {
    expect(verdict("path", { pattern }, { path }) === "ok").toBe(want);
  });

  test("a schema is asked about each element", () => {
    expect(verdict("paths", { schema: { type: "string" } }, { paths: ["a"] })).toBe("ok");
    expect(verdict("paths", { schema: { not: { const: "b" } } }, { paths: ["a", "b"] })).toBe(
      "`paths` doesn't satisfy the schema",
    );
    expect(verdict("paths[]", { schema: { type: "string" } }, { paths: ["a"] })).toBe("ok");
    expect(verdict("paths[]", { schema: { type: "string" } }, { paths: ["a", 1] })).toBe(
      "`paths[]` doesn't satisfy the schema",
    );
    expect(verdict("paths", { schema: { type: "array" } }, { paths: [] })).toBe("`paths` is an empty list");
    expect(verdict("n", { schema: { type: "null" } }, { n: null })).toBe("ok");
  });

  test("one more condition never turns a no into a yes", () => {
    const condition: fc.Arbitrary<Condition> = fc.oneof(
      fc.constantFrom("**", "a/*", "*").map((glob) => ({ glob })),
      fc.constantFrom("a.*", "[a-z]+").map((pattern) => ({ pattern })),
      fc.subarray<JsonValue>(["a", "a/b", null, 1]).map((allowed) => ({ enum: allowed })),
      fc.constantFrom("a/*", "*").map((glob) => ({ glob, optional: true })),
    );
    const args = fc.oneof(
      fc.constant({}),
      fc.jsonValue({ maxDepth: 2 }).map((path) => ({ path })),
      fc.constantFrom("a", "a/b", ".a", null, 1, ["a"], []).map((path) => ({ path })),
    );
    fc.assert(
      fc.property(fc.array(condition, { minLength: 1, maxLength: 3 }), condition, args, (conditions, extra, given) => {
        if (verdict("path", conditions, given) !== "ok")
          expect(verdict("path", [...conditions, extra], given)).not.toBe("ok");
      }),
      { numRuns: 1000 },
    );
  });
});

describe("the path of an argument", () => {
  test.each([
    ["path", [["path", false]]],
    [
      "options.path",
      [
        ["options", false],
        ["path", false],
      ],
    ],
    [
      "edits[].path",
      [
        ["edits", true],
        ["path", false],
      ],
    ],
    [
      "a[].b[].c[]",
      [
        ["a", true],
        ["b", true],
        ["c", true],
      ],
    ],
    ["prop\\.dot", [["prop.dot", false]]],
    ["a\\[\\]", [["a[]", false]]],
    [
      "a\\\\.b",
      [
        ["a\\", false],
        ["b", false],
      ],
    ],
    ["Content-Type", [["Content-Type", false]]],
    ["$and", [["$and", false]]],
    ["{{orgId}} x", [["{{orgId}} x", false]]],
    ["a\nb\u{1f600}", [["a\nb\u{1f600}", false]]],
    ["", undefined],
    [".", undefined],
    ["a.", undefined],
    [".a", undefined],
    ["a..b", undefined],
    ["[]", undefined],
    ["[].a", undefined],
    ["a[][]", undefined],
    ["a[]b", undefined],
    ["a[0]", undefined],
    ["a[", undefined],
    ["a]", undefined],
    ["a\\", undefined],
    ["a\\b", undefined],
  ])("%j", (path, want) => {
    expect(parseArgumentPath(path)).toEqual(want?.map(([name, each]) => ({ name, each })));
  });

  test("any name can be written", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), (name) => {
        expect(parseArgumentPath(`a.${escapeArgumentName(name)}[]`)).toEqual([
          { name: "a", each: false },
          { name, each: true },
        ]);
      }),
    );
  });
});
