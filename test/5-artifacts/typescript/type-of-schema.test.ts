/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../compiler/base/json.ts";
import { declareArguments } from "../../../compiler/5-artifacts/typescript/type-of-schema.ts";
import { createNames } from "../../../compiler/5-artifacts/typescript/type-of-schema/names.ts";
import { anyObject, declared, type Row } from "../../types/declared.ts";

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
  ["properties that are a list", { type: "object", properties: ["a"] }, anyObject],
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
  ["any object", { type: "object" }, anyObject],
  ["no properties", { type: "object", properties: {} }, anyObject],
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
  ["patterns, else open", { type: "object", patternProperties: { "^a": { type: "string" } } }, anyObject],
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
    `${anyObject} | string | number | boolean | null | readonly string[]`,
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

describe("the type of a part", () => {
  test.each(parts)("%s", (_, schema, type) => {
    const text = declared(
      declareArguments({ type: "object", properties: { x: schema }, required: ["x"] }, "T", createNames([])),
    );
    const match = /^interface T \{ (?:\/\*\* .*? \*\/ )?x: (.*); \}$/.exec(text);
    expect(match?.[1] ?? text).toBe(type);
  });
});
