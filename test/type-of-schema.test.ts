/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../compiler/base/json.ts";
import { declareArguments, declareResult, type DeclaredType } from "../compiler/4-artifacts/type-of-schema.ts";
import { createNames } from "../compiler/4-artifacts/type-of-schema/names.ts";

type Row = readonly [name: string, schema: JsonValue, type: string];

const anything = "{ [key: string]: unknown }";

/** Each schema stands as the property `x` of an object, where a value of any kind may come. */
const parts: readonly Row[] = [
  // kinds
  ["text", { type: "string" }, "string"],
  ["a number", { type: "number" }, "number"],
  ["a whole number", { type: "integer" }, "number"],
  ["true or false", { type: "boolean" }, "boolean"],
  ["null", { type: "null" }, "null"],
  ["no schema says nothing", {}, "unknown"],
  ["true takes everything", true, "unknown"],
  ["false takes nothing", false, "never"],
  ["several types", { type: ["string", "number"] }, "string | number"],
  ["every type by name", { type: ["string", "number", "boolean", "object", "array", "null"] }, "unknown"],
  ["limits don't show", { type: "string", minLength: 1, maxLength: 9, pattern: "^a", format: "uri" }, "string"],
  // broken
  ["a type that no draft knows", { type: "any" }, "unknown"],
  ["a list with an unknown type", { type: ["string", "file"] }, "unknown"],
  ["an empty list of types", { type: [] }, "unknown"],
  ["a type that is no text", { type: { a: 1 } }, "unknown"],
  ["a schema that is text", "string", "unknown"],
  ["a schema that is a list", [{ type: "string" }], "unknown"],
  ["a schema that is null", null, "unknown"],
  ["properties that are a list", { type: "object", properties: ["a"] }, anything],
  ["required that is no list", { type: "object", properties: { a: true }, required: true }, "{ a?: unknown; }"],
  ["anyOf that is no list", { type: "string", anyOf: { type: "number" } }, "string"],
  ["an empty anyOf", { type: "string", anyOf: [] }, "string"],
  ["enum that is no list", { type: "string", enum: "a" }, "string"],
  ["an empty enum says nothing", { type: "string", enum: [] }, "string"],
  // null
  ["null by type", { type: ["string", "null"] }, "string | null"],
  ["null by nullable", { type: "string", nullable: true }, "string | null"],
  ["null by anyOf", { anyOf: [{ type: "string" }, { type: "null" }] }, "string | null"],
  ["null by enum", { enum: ["a", null] }, '"a" | null'],
  ["null by nullable beside enum", { type: "string", enum: ["a"], nullable: true }, '"a" | null'],
  ["null by nullable beside allOf", { nullable: true, allOf: [{ type: "string" }] }, "string | null"],
  ["not nullable", { type: "string", nullable: false }, "string"],
  ["nullable without a type", { nullable: true }, "unknown"],
  // values
  ["enum", { type: "string", enum: ["open", "closed"] }, '"open" | "closed"'],
  ["enum without a type", { enum: ["a", 1, true, null] }, '"a" | 1 | true | null'],
  ["enum of the other kind", { type: "string", enum: ["a", 1] }, '"a"'],
  ["enum with no value of its type", { type: "string", enum: [1] }, "never"],
  ["enum twice the same", { enum: ["a", "a"] }, '"a"'],
  ["numbers", { enum: [-1, 0.5, 1e21] }, "-1 | 0.5 | 1e+21"],
  ["const", { const: "a" }, '"a"'],
  ["const null", { const: null }, "null"],
  ["const object", { const: { b: 1, a: ["x"] } }, '{ a: readonly ["x"]; b: 1 }'],
  ["const {}", { const: {} }, "{ [key: string]: never }"],
  ["const wins over enum", { const: "a", enum: ["a", "b"] }, '"a"'],
  ["text with quotes", { const: 'a"b' }, "'a\"b'"],
  ["text with both quotes", { const: `a"b'c` }, `"a\\"b'c"`],
  ["text with a line break", { const: "a\nb" }, '"a\\nb"'],
  // objects
  ["any object", { type: "object" }, anything],
  ["no properties", { type: "object", properties: {} }, anything],
  ["nothing inside", { type: "object", additionalProperties: false }, "{ [key: string]: never }"],
  [
    "required and not",
    { type: "object", properties: { a: { type: "string" }, b: { type: "number" } }, required: ["a"] },
    "{ a: string; b?: number | undefined; }",
  ],
  [
    "sorted",
    { type: "object", properties: { b: true, a: true, B: true } },
    "{ B?: unknown; a?: unknown; b?: unknown; }",
  ],
  ["required without a schema", { type: "object", required: ["a"] }, "{ a: unknown; }"],
  ["a property that can't be", { type: "object", properties: { a: false } }, "{ a?: undefined; }"],
  ["a map", { type: "object", additionalProperties: { type: "number" } }, "{ [key: string]: number }"],
  [
    "open said aloud",
    { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
    "{ a?: string | undefined; [key: string]: unknown; }",
  ],
  [
    "closed",
    { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
    "{ a?: string | undefined; }",
  ],
  [
    "others of a type, widened by the named",
    {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: { type: "number" },
    },
    "{ a: string; [key: string]: number | string; }",
  ],
  [
    "others of a type, an optional one named",
    { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "number" } },
    "{ a?: string | undefined; [key: string]: number | string | undefined; }",
  ],
  [
    "required among the others",
    { type: "object", required: ["a"], additionalProperties: { type: "number" } },
    "{ a: number; [key: string]: number; }",
  ],
  [
    "patterns, else closed",
    {
      type: "object",
      patternProperties: { "^a": { type: "string" }, "^b": { type: "number" } },
      additionalProperties: false,
    },
    "{ [key: string]: string | number }",
  ],
  ["patterns, else open", { type: "object", patternProperties: { "^a": { type: "string" } } }, anything],
  [
    "patterns, else typed",
    { type: "object", patternProperties: { "^a": { type: "string" } }, additionalProperties: { type: "null" } },
    "{ [key: string]: string | null }",
  ],
  [
    "names from a list",
    { type: "object", propertyNames: { enum: ["b", "a"] }, additionalProperties: { type: "number" } },
    "{ a?: number | undefined; b?: number | undefined; }",
  ],
  [
    "names that are text",
    { type: "object", propertyNames: { type: "string" }, additionalProperties: { type: "number" } },
    "{ [key: string]: number }",
  ],
  [
    "nested",
    { type: "object", properties: { a: { type: "object", properties: { b: { type: "string" } }, required: ["b"] } } },
    "{ a?: { b: string; } | undefined; }",
  ],
  [
    "keys that are no identifiers",
    { type: "object", properties: { "a-b": true, "": true, "1": true, $and: true, class: true } },
    '{ ""?: unknown; $and?: unknown; "1"?: unknown; "a-b"?: unknown; class?: unknown; }',
  ],
  [
    "__proto__ is a key",
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonValue,
    '{ "__proto__"?: string | undefined; }',
  ],
  [
    "a property's description and default",
    { type: "object", properties: { a: { type: "number", description: "How many", default: 3 } } },
    "{ /** * How many * @default 3 */ a?: number | undefined; }",
  ],
  [
    "properties without a type: any other kind too",
    { properties: { a: { type: "string" } } },
    "{ a?: string | undefined; } | string | number | boolean | null | readonly unknown[]",
  ],
  [
    "unevaluatedProperties is left out",
    { type: "object", properties: { a: true }, unevaluatedProperties: false },
    "{ a?: unknown; }",
  ],
  // arrays
  ["any array", { type: "array" }, "readonly unknown[]"],
  ["a list", { type: "array", items: { type: "string" } }, "readonly string[]"],
  [
    "a list of lists",
    { type: "array", items: { type: "array", items: { type: "string" } } },
    "readonly (readonly string[])[]",
  ],
  ["a list of either", { type: "array", items: { type: ["string", "null"] } }, "readonly (string | null)[]"],
  [
    "a list of objects",
    { type: "array", items: { type: "object", properties: { a: true }, required: ["a"] } },
    "readonly { a: unknown; }[]",
  ],
  [
    "the length of a list doesn't show",
    { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 },
    "readonly string[]",
  ],
  ["always empty", { type: "array", items: false }, "readonly never[]"],
  [
    "items without a type: any other kind too",
    { items: { type: "string" } },
    `${anything} | string | number | boolean | null | readonly string[]`,
  ],
  [
    "a pair, older spelling",
    { type: "array", items: [{ type: "string" }, { type: "number" }], minItems: 2, additionalItems: false },
    "readonly [string, number]",
  ],
  [
    "a pair, newer spelling",
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2, items: false },
    "readonly [string, number]",
  ],
  [
    "a tuple may be shorter",
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 1, items: false },
    "readonly [string, number?]",
  ],
  [
    "a tuple may be longer",
    { type: "array", prefixItems: [{ type: "string" }], minItems: 1 },
    "readonly [string, ...unknown[]]",
  ],
  [
    "a tuple with a typed rest",
    { type: "array", prefixItems: [{ type: "string" }], items: { type: ["number", "null"] } },
    "readonly [string?, ...(number | null)[]]",
  ],
  [
    "a tuple cut by maxItems",
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], maxItems: 1 },
    "readonly [string?]",
  ],
  ["a tuple that stays empty", { type: "array", prefixItems: [{ type: "string" }], maxItems: 0 }, "readonly []"],
  [
    "an optional element of either",
    { type: "array", prefixItems: [{ type: ["string", "null"] }], items: false },
    "readonly [(string | null)?]",
  ],
  // together
  ["anyOf", { anyOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
  ["oneOf is read as anyOf: wider", { oneOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
  ["a branch that takes all", { anyOf: [{ type: "string" }, {}] }, "unknown"],
  ["a branch that takes nothing", { anyOf: [{ type: "string" }, false] }, "string"],
  ["branches within a type", { type: "string", anyOf: [{ const: "a" }, { const: 1 }] }, '"a"'],
  [
    "allOf",
    {
      allOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { type: "object", properties: { b: { type: "string" } }, required: ["b"] },
      ],
    },
    "{ a: string; } & { b: string; }",
  ],
  ["allOf that says it twice", { type: "string", allOf: [{ type: "string" }, { minLength: 1 }] }, "string"],
  ["allOf that can't be", { type: "string", allOf: [{ type: "number" }] }, "never"],
  [
    "either required",
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    "{ a?: string | undefined; b?: string | undefined; } & ({ a: unknown; } | { b: unknown; })",
  ],
  [
    "a list of both",
    {
      type: "array",
      items: {
        allOf: [
          { type: "object", required: ["a"] },
          { type: "object", required: ["b"] },
        ],
      },
    },
    "readonly ({ a: unknown; } & { b: unknown; })[]",
  ],
  ["if, then, else", { if: { type: "string" }, then: { type: "string" }, else: { type: "number" } }, "string | number"],
  ["if and then alone say nothing", { if: { type: "string" }, then: { const: "a" } }, "unknown"],
  ["then without if says nothing", { then: { const: "a" }, else: { const: "b" } }, "unknown"],
  ["not is left out: wider", { type: "string", not: { const: "a" } }, "string"],
  ["$dynamicRef is left out: wider", { $dynamicRef: "#x" }, "unknown"],
  [
    "$recursiveRef is left out: wider",
    { type: "object", properties: { a: { $recursiveRef: "#" } } },
    "{ a?: unknown; }",
  ],
  // references that lead nowhere
  ["a reference to another file", { $ref: "other.json" }, "unknown"],
  ["a reference to the web", { $ref: "https://example.com/a.json#/b" }, "unknown"],
  ["a reference to nothing", { $ref: "#/$defs/none" }, "unknown"],
  ["a reference to an anchor that isn't there", { $ref: "#none" }, "unknown"],
  ["a reference that is no text", { $ref: 7 }, "unknown"],
  ["a reference to `constructor`", { $ref: "#/constructor" }, "unknown"],
  ["a reference with a broken escape", { $ref: "#/%zz" }, "unknown"],
  ["a reference to itself", { $ref: "#/properties/x" }, "unknown"],
  ["a reference to itself beside a type", { type: "string", $ref: "#/properties/x" }, "string"],
];

/** Whole schemas of arguments; all that is declared. */
const wholes: readonly Row[] = [
  [
    "no type: arguments are an object",
    { properties: { a: { type: "string" } } },
    "interface T { a?: string | undefined; }",
  ],
  ["nothing at all", {}, `interface T ${anything}`],
  ["true", true, `interface T ${anything}`],
  ["null", null, `interface T ${anything}`],
  ["another type is broken", { type: "string" }, `interface T ${anything}`],
  ["an object or null is an object", { type: ["object", "null"], required: ["a"] }, "interface T { a: unknown; }"],
  ["its own description", { type: "object", description: "All of it" }, `/** All of it */ interface T ${anything}`],
  [
    "either of two",
    { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    "type T = { a: unknown; } | { b: unknown; };",
  ],
  [
    "a short part is put in place",
    { properties: { a: { $ref: "#/$defs/s" } }, $defs: { s: { type: "string" } } },
    "interface T { a?: string | undefined; }",
  ],
  [
    "a long part gets a name, once",
    {
      required: ["a", "b"],
      properties: { a: { $ref: "#/$defs/point" }, b: { $ref: "#/definitions/p" } },
      $defs: { point: { type: "object", required: ["x"] } },
      definitions: { p: { $ref: "#/$defs/point" } },
    },
    "interface T { a: TPoint; b: TPoint; } interface TPoint { x: unknown; }",
  ],
  ["itself", { properties: { a: { $ref: "#" } }, type: "object" }, "interface T { a?: T | undefined; }"],
  [
    "itself, without a type",
    { properties: { a: { $ref: "#" } } },
    "interface T { a?: T2 | undefined; } type T2 = { a?: T2 | undefined; } | string | number | boolean | null | readonly unknown[];",
  ],
  [
    "a tree",
    {
      properties: { root: { $ref: "#/$defs/node" } },
      required: ["root"],
      $defs: { node: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/node" } } } } },
    },
    "interface T { root: TNode; } interface TNode { children?: readonly TNode[] | undefined; }",
  ],
  [
    "a list of itself",
    {
      properties: { a: { $ref: "#/$defs/l" } },
      required: ["a"],
      $defs: { l: { type: ["array", "string"], items: { $ref: "#/$defs/l" } } },
    },
    "interface T { a: TL; } type TL = string | readonly TL[];",
  ],
  [
    "two that need each other",
    {
      properties: { a: { $ref: "#/$defs/a" } },
      $defs: {
        a: { type: "object", properties: { b: { $ref: "#/$defs/b" } } },
        b: { type: "object", properties: { a: { $ref: "#/$defs/a" } } },
      },
    },
    "interface T { a?: TA | undefined; } interface TB { a?: TA | undefined; } interface TA { b?: TB | undefined; }",
  ],
  [
    "two that are each other",
    {
      properties: { a: { $ref: "#/$defs/a" } },
      required: ["a"],
      $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
    },
    "interface T { a: unknown; }",
  ],
  [
    "into a property",
    {
      type: "object",
      properties: {
        a: { type: "object", properties: { b: { enum: ["x", "y"] } } },
        c: { $ref: "#/properties/a/properties/b" },
      },
      required: ["c"],
    },
    'interface T { a?: { b?: "x" | "y" | undefined; } | undefined; c: "x" | "y"; }',
  ],
  [
    "into anyOf",
    {
      type: "object",
      properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] }, c: { $ref: "#/properties/a/anyOf/0" } },
      required: ["a", "c"],
    },
    "interface T { a: string | null; c: string; }",
  ],
  [
    "~1, ~0 and per cent",
    { properties: { a: { $ref: "#/$defs/a~1b~0c%20d" } }, required: ["a"], $defs: { "a/b~c d": { type: "number" } } },
    "interface T { a: number; }",
  ],
  [
    "a leading zero is no index",
    { properties: { a: { $ref: "#/allOf/00" } }, required: ["a"], allOf: [{ type: "object" }] },
    "interface T { a: unknown; }",
  ],
  [
    "an anchor",
    { properties: { a: { $ref: "#here" } }, required: ["a"], $defs: { z: { $anchor: "here", type: "number" } } },
    "interface T { a: number; }",
  ],
  [
    "an identifier",
    {
      $id: "https://example.com/t.json",
      properties: { a: { $ref: "n.json" } },
      required: ["a"],
      $defs: { z: { $id: "n.json", type: "number" } },
    },
    "interface T { a: number; }",
  ],
  [
    "references inside a part with an identifier start there",
    {
      properties: { a: { $ref: "n" } },
      required: ["a"],
      $defs: {
        v: { type: "string" },
        z: { $id: "n", type: "array", items: { $ref: "#/$defs/v" }, $defs: { v: { type: "number" } } },
      },
    },
    "interface T { a: readonly number[]; }",
  ],
  [
    "a property named $id is no identifier",
    { properties: { $id: { type: "string" }, a: { $ref: "#/$defs/s" } }, $defs: { s: { type: "number" } } },
    "interface T { $id?: string | undefined; a?: number | undefined; }",
  ],
  [
    "draft 7: $ref hides its neighbours",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { $ref: "#/definitions/s", type: "number", enum: [1] } },
      required: ["a"],
      definitions: { s: { type: "string" } },
    },
    "interface T { a: string; }",
  ],
  [
    "2020-12: $ref and its neighbours",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { a: { $ref: "#/$defs/s", enum: ["a"] } },
      required: ["a"],
      $defs: { s: { type: "string" } },
    },
    'interface T { a: "a" & string; }',
  ],
  [
    "draft 7 doesn't know prefixItems",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { type: "array", prefixItems: [{ type: "string" }] } },
      required: ["a"],
    },
    "interface T { a: readonly unknown[]; }",
  ],
  [
    "draft 4 doesn't know const",
    {
      $schema: "http://json-schema.org/draft-04/schema#",
      properties: { a: { type: "string", const: "x" } },
      required: ["a"],
    },
    "interface T { a: string; }",
  ],
  [
    "draft 4: id",
    {
      $schema: "http://json-schema.org/draft-04/schema#",
      properties: { a: { $ref: "n" } },
      required: ["a"],
      definitions: { z: { id: "n", type: "number" } },
    },
    "interface T { a: number; }",
  ],
  [
    "draft 7: an anchor in $id",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { $ref: "#n" } },
      required: ["a"],
      definitions: { z: { $id: "#n", type: "number" } },
    },
    "interface T { a: number; }",
  ],
  [
    "nullable behind a reference",
    { properties: { a: { $ref: "#/$defs/s" } }, required: ["a"], $defs: { s: { type: "string", nullable: true } } },
    "interface T { a: string | null; }",
  ],
];

describe("the type of a part", () => {
  test.each(parts)("%s", (_, schema, type) => {
    const text = declared(
      declareArguments({ type: "object", properties: { x: schema }, required: ["x"] }, "T", createNames([])),
    );
    const match = /^interface T \{ (?:\/\*\* .*? \*\/ )?x: (.*); \}$/.exec(text);
    expect(match?.[1] ?? text).toBe(type);
  });
});

describe("arguments", () => {
  test.each(wholes)("%s", (_, schema, type) => {
    expect(declared(declareArguments(schema, "T", createNames([])))).toBe(type);
  });

  test.each<readonly [string, JsonValue, boolean]>([
    ["no property", { type: "object" }, true],
    ["an optional one", { type: "object", properties: { a: true } }, true],
    ["a required one", { type: "object", required: ["a"] }, false],
    ["required in every branch", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }, false],
    ["required in one branch", { anyOf: [{ required: ["a"] }, {}] }, true],
    ["required in one of all", { allOf: [{ required: ["a"] }, {}] }, false],
    ["required behind a reference", { $ref: "#/$defs/a", $defs: { a: { type: "object", required: ["a"] } } }, false],
  ])("may be left out? %s", (_, schema, may) => {
    expect(declareArguments(schema, "T", createNames([])).takesEmpty).toBe(may);
  });
});

describe("results", () => {
  test.each<Row>([
    ["an object by protocol", { properties: { a: { type: "string" } } }, "interface T { a?: string | undefined; }"],
    ["what the schema says, when it does", { type: "array", items: { type: "string" } }, "type T = readonly string[];"],
    ["text", { type: ["string", "null"] }, "type T = string | null;"],
  ])("%s", (_, schema, type) => {
    expect(declared(declareResult(schema, "T", createNames([])))).toBe(type);
  });
});

describe("hostile and huge schemas", () => {
  test("100,000 levels deep: unknown from some point on", () => {
    let schema: JsonValue = { type: "string" };
    for (let i = 0; i < 100_000; i++) schema = { type: "array", items: schema };
    const text = declared(declareArguments({ type: "object", properties: { a: schema } }, "T", createNames([])));
    expect(text).toContain("unknown[]");
    expect(text.length).toBeLessThan(5_000);
  });

  test("a chain of 5,000 references", () => {
    const $defs: Record<string, JsonValue> = { d5000: { type: "string" } };
    for (let i = 0; i < 5_000; i++)
      $defs[`d${i}`] = { type: "object", properties: { next: { $ref: `#/$defs/d${i + 1}` } } };
    expect(
      declared(
        declareArguments({ type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs }, "T", createNames([])),
      ),
    ).toContain("unknown");
  });

  test("references that double at each step stay small", () => {
    const $defs: Record<string, JsonValue> = { d40: { type: "string" } };
    for (let i = 0; i < 40; i++) {
      const next = { $ref: `#/$defs/d${i + 1}` };
      $defs[`d${i}`] = {
        type: "object",
        properties: { a: next, b: next },
        additionalProperties: { type: "string" },
        anyOf: [{ properties: { c: next } }, { properties: { d: next } }],
      };
    }
    const text = declared(declareArguments({ $ref: "#/$defs/d0", $defs }, "T", createNames([])));
    expect(text.length).toBeLessThan(100_000);
  });

  test("nested index signatures don't double", () => {
    let schema: JsonValue = { type: "string" };
    for (let i = 0; i < 40; i++)
      schema = { type: "object", properties: { inner: schema }, additionalProperties: { type: "number" } };
    expect(declared(declareArguments(schema, "T", createNames([]))).length).toBeLessThan(20_000);
  });

  test("unions that would multiply beyond what a type checker takes are left out", () => {
    const many = (letter: string): JsonValue => ({
      anyOf: Array.from({ length: 400 }, (_, i) => ({ type: "object", required: [`${letter}${i}`] })),
    });
    const text = declared(
      declareArguments({ type: "object", allOf: [many("a"), many("b"), { required: ["c"] }] }, "T", createNames([])),
    );
    expect(text).toContain("c: unknown");
    expect(text).toContain("b399: unknown");
    expect(text).not.toContain("a399: unknown");
  });
});

describe("names", () => {
  test("the same wish gives the next number, also where the number is taken", () => {
    const names = createNames(["A"]);
    expect(["A", "A", "A3", "A", "B"].map((wish) => names.take(wish).text)).toEqual(["A2", "A3", "A32", "A4", "B"]);
  });
});

/** All declarations on one line, without `export`. */
function declared(type: DeclaredType): string {
  return type.declarations
    .map(({ text }) => text)
    .join(" ")
    .replaceAll("export ", "")
    .replace(/\s+/g, " ")
    .trim();
}
