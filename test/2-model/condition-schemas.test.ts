import { describe, expect, test } from "vitest";
import { linkConditions } from "../../compiler/2-model/conditions.ts";
import { restricts } from "../../compiler/2-model/restricting-schema.ts";
import { unsafeSearch } from "../../compiler/base/safe-pattern.ts";
import type { JsonValue } from "../../compiler/base/json.ts";
import { createReport, type Report } from "../../compiler/diagnostics/report.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";
import { lazyLibraries } from "../../compiler/io/libraries.ts";
import type { ConditionsBlock } from "../../schemas/types.ts";
import { fastest } from "../support/fastest.ts";

/** What is said of a `schema` condition: where, and why. */
function said(schema: unknown): [where: string, problem: string][] {
  const found: [string, string][] = [];
  const add: Report["add"] = (code, at, params) => {
    const report = createReport(() => undefined);
    report.add(code, at, params);
    const [{ says }] = report.sorted() as [Diagnostic];
    found.push([at!.path.slice(2).join("/"), says.replace(/^this \w+ can't be a condition: it /, "")]);
  };
  const block = { repo: { schema } } as ConditionsBlock;
  linkConditions(block, { file: "roles.yaml", path: [] }, lazyLibraries().schemaProblem, { add } as Report);
  return found;
}

describe("a pattern in a schema that could run away is refused where it stands", () => {
  const RUNS_AWAY = "^(a+)+$";
  test.each<[string, object]>([
    ["pattern", { type: "string", pattern: RUNS_AWAY }],
    ["properties/a/pattern", { type: "object", properties: { a: { type: "string", pattern: RUNS_AWAY } } }],
    [`patternProperties/${RUNS_AWAY}`, { type: "object", patternProperties: { [RUNS_AWAY]: { type: "string" } } }],
    ["$defs/a/pattern", { $ref: "#/$defs/a", $defs: { a: { type: "string", pattern: RUNS_AWAY } } }],
    ["definitions/a/pattern", { type: "string", definitions: { a: { type: "string", pattern: RUNS_AWAY } } }],
    ["anyOf/1/pattern", { type: "string", anyOf: [{ const: "b" }, { pattern: RUNS_AWAY }] }],
    ["not/pattern", { type: "string", not: { pattern: RUNS_AWAY } }],
    ["propertyNames/pattern", { type: "object", propertyNames: { type: "string", pattern: RUNS_AWAY } }],
    ["default/pattern", { $ref: "#/default", default: { type: "string", pattern: RUNS_AWAY } }],
  ])("%s", (where, schema) => {
    expect(said(schema)).toEqual([[where, expect.stringContaining("too many ways")]]);
  });

  test("each one is said, and harmless ones aren't", () => {
    const schema = { type: "string", allOf: [{ pattern: RUNS_AWAY }, { pattern: "^a+$" }, { pattern: "(a|a)*b" }] };
    expect(said(schema).map(([where]) => where)).toEqual(["allOf/0/pattern", "allOf/2/pattern"]);
  });
});

test.each<[string, object]>([
  ["refers back to itself", { $ref: "#" }],
  ["refers back to itself", { type: "array", items: { anyOf: [{ $ref: "#" }, { type: "string" }] } }],
  ["has `uniqueItems` on a list", { type: "array", uniqueItems: true }],
])("a schema that could keep a validator busy: it %s", (why, schema) => {
  expect(said(schema)).toEqual([["", expect.stringContaining(`can take very long: it ${why}`)]]);
});

describe("a pattern that is looked for", () => {
  test.each(["", "foo", "^foo", "a{1,50}x", "[0-9]{4}-[0-9]{2}", "^[a-z]+x", "^[a-z]+$", "^(a|b)+$", "^a|b", "x$"])(
    "%j is taken, and linear",
    (source) => {
      const pattern = new RegExp(source, "u");
      const text = "a".repeat(100_000);
      expect(unsafeSearch(source)).toBeUndefined();
      expect(fastest(100, () => pattern.test(text))).toBeLessThan(100);
    },
  );

  test.each(["[a-z]+x", "^a|[a-z]+x", "(^|b)[a-z]+x", "^.*foo.*bar", "\\s+$", "(a+)+"])("%j is refused", (source) =>
    expect(unsafeSearch(source)).toContain("too many ways"),
  );
});

const H: JsonValue = { enum: ["h"] };

describe("a schema that restricts nothing", () => {
  test.each<JsonValue>([
    true,
    {},
    { description: "x" },
    { anyOf: [{}, H] },
    { anyOf: [true, H] },
    { anyOf: [{ description: "x" }, H] },
    { anyOf: [H, { anyOf: [H, {}] }] },
    { oneOf: [{}] },
    { oneOf: [{}, false] },
    { oneOf: [{}, { not: {} }] },
    { allOf: [{}, true] },
    { not: false },
    { not: { not: {} } },
    { not: { anyOf: [false, false] } },
    { if: H },
    { if: H, then: {} },
    { if: {}, else: H },
    { if: false, then: H },
    { then: H },
    { dependentSchemas: { a: {} } },
    { dependentRequired: { a: [] } },
    { required: [] },
    { minLength: 0 },
    { uniqueItems: false },
    { items: [{}, true] },
    { $ref: "#/$defs/a", $defs: { a: {} } },
  ])("%j", (schema) => {
    expect(restricts(schema)).toBe(false);
    expect(said(schema)).toEqual([["", "restricts nothing: every value satisfies it"]]);
  });
});

describe("a schema that restricts", () => {
  test.each<JsonValue>([
    false,
    H,
    { anyOf: [H, { const: 1 }] },
    { oneOf: [{}, H] },
    { oneOf: [{}, {}] },
    { oneOf: [H, { const: 1 }] },
    { not: {} },
    { not: H },
    { not: { anyOf: [{}, H] } },
    { const: false },
    { const: 0 },
    { if: H, then: { const: 1 } },
    { if: H, else: { const: 1 } },
    { if: H, then: false },
    { if: {}, then: H },
    { dependentSchemas: { a: H } },
    { dependentRequired: { a: ["b"] } },
    { properties: { a: H } },
    { items: [{}, H] },
    { additionalProperties: false },
    { $ref: "#/$defs/a", $defs: { a: H } },
  ])("%j", (schema) => {
    expect(restricts(schema)).toBe(true);
  });
});

describe("what a validator minds is said with the next step", () => {
  test.each<[string, object]>([
    ["has `pattern` without its type; add `type: string`", { pattern: "^a$" }],
    ["has `maximum` without its type; add `type: number`", { maximum: 3 }],
    [
      "has `pattern` at `/properties/a` without its type; add `type: string`",
      { type: "object", properties: { a: { pattern: "^a$" } } },
    ],
    ["names a `format`, which isn't judged; write a `pattern`, with `type: string`", { format: "email" }],
    ["names the format `email`, which isn't judged; write a `pattern`", { type: "string", format: "email" }],
  ])("%s", (problem, schema) => expect(said(schema)).toEqual([["", problem]]));
});

describe("what contradicts itself refuses everything, and `not` of it nothing", () => {
  test.each<JsonValue>([
    { enum: [] },
    { type: "string", enum: [1, 2] },
    { type: "integer", const: 1.5 },
    { const: 1, enum: [2] },
    { allOf: [{ type: "string" }, { type: "number" }] },
    { type: "string", allOf: [{ type: ["number", "null"] }] },
    { type: "number", minimum: 5, maximum: 3 },
    { type: "string", minLength: 5, allOf: [{ maxLength: 3 }] },
    { oneOf: [false, { not: {} }] },
    { not: { type: ["null", "boolean", "object", "array", "number", "string"] } },
  ])("%j", (schema) => expect([restricts(schema), restricts({ not: schema })]).toEqual([true, false]));

  test.each<JsonValue>([
    { type: "string", enum: ["a", 1] },
    { type: "number", const: 1 },
    { allOf: [{ type: "number" }, { type: "integer" }] },
    { minimum: 5, maximum: 3 },
    { type: "number", minimum: 3, maximum: 3 },
    { type: ["string", "number"], minLength: 5, maxLength: 3 },
  ])("not %j", (schema) => expect(restricts({ not: schema })).toBe(true));

  test.each<[boolean, JsonValue]>([
    [false, { type: ["null", "boolean", "object", "array", "number", "string"] }],
    [false, { type: ["null", "boolean", "object", "array", "number", "string", "integer"] }],
    [true, { type: ["null", "boolean", "object", "array", "integer", "string"] }],
    [false, { $dynamicRef: "#open", $defs: { a: { $dynamicAnchor: "open" } } }],
    [true, { $dynamicRef: "#open", $defs: { a: { $dynamicAnchor: "open", type: "string" } } }],
    [true, { $dynamicRef: "https://example.com/schema" }],
    [false, { $ref: "#open", $defs: { a: { $anchor: "open", title: "anything" } } }],
  ])("restricts: %j, %j", (want, schema) => expect(restricts(schema)).toBe(want));
});
