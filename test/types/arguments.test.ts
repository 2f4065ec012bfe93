import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../compiler/base/json.ts";
import { declareArguments, declareResult } from "../../compiler/5-artifacts/typescript/type-of-schema.ts";
import { createNames } from "../../compiler/5-artifacts/typescript/type-of-schema/names.ts";
import { anyObject, declared, type Row } from "./declared.ts";

/** Whole schemas of arguments; all that is declared. */
const wholes: readonly Row[] = [
  [
    "no type: arguments are an object",
    { properties: { a: { type: "string" } } },
    "interface T { a?: string | undefined; }",
  ],
  ["nothing at all", {}, `interface T ${anyObject}`],
  ["true", true, `interface T ${anyObject}`],
  ["null", null, `interface T ${anyObject}`],
  ["another type is broken", { type: "string" }, `interface T ${anyObject}`],
  ["an object or null is an object", { type: ["object", "null"], required: ["a"] }, "interface T { a: unknown; }"],
  ["its own description", { type: "object", description: "All of it" }, `/** All of it */ interface T ${anyObject}`],
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
