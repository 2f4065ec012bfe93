import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { escapeArgumentName } from "../../runtime/conditions.ts";
import { argumentAt } from "../../compiler/2-model/argument-path.ts";
import { ALTERNATIVES, schemaParts, TOGETHER, unnamedArgumentOf } from "../../runtime/pinned-schema.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../../compiler/base/json.ts";
import { fastest } from "../support/fastest.ts";
import { SHARED } from "../support/root.ts";

const text = { type: "string" };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

/** A list that holds objects that hold themselves. */
const tree = object(
  { node: { $ref: "#/$defs/node" } },
  { $defs: { node: object({ name: text, children: { type: "array", items: { $ref: "#/$defs/node" } } }) } },
);

const COMBINES = ["$ref", ...TOGETHER, ...ALTERNATIVES];

/** What is said of the argument, with everything that only combines taken apart. */
function leaves(root: JsonObject, here: JsonValue): JsonValue[] {
  if (!isObject(here)) return [here];
  const all = [...schemaParts(root, here, [...TOGETHER, ...ALTERNATIVES])];
  return all.filter(
    (part) => Object.keys(part).length === 0 || Object.keys(part).some((key) => !COMBINES.includes(key)),
  );
}

describe("an argument that the schema names", () => {
  test.each<[string, JsonObject, string, unknown[]]>([
    ["a property", object({ path: text }), "path", [text]],
    ["a property without a type around it", { properties: { path: text } }, "path", [text]],
    ["a nested one", object({ options: object({ path: text }) }), "options.path", [text]],
    ["elements", object({ paths: { type: "array", items: text } }), "paths[]", [text]],
    ["in elements", object({ edits: { type: "array", items: object({ path: text }) } }), "edits[].path", [text]],
    ["the list itself", object({ paths: { type: "array", items: text } }), "paths", [{ type: "array", items: text }]],
    ["a list of anything", object({ paths: { type: "array" } }), "paths[]", [true]],
    [
      "a tuple, old spelling",
      object({ t: { type: "array", items: [object({ a: text }), object({ a: text })], additionalItems: false } }),
      "t[].a",
      [text],
    ],
    [
      "a tuple, new spelling",
      object({ t: { type: "array", prefixItems: [object({ a: text })], items: false } }),
      "t[].a",
      [text],
    ],
    ["a reference", object({ a: { $ref: "#/$defs/A" } }, { $defs: { A: object({ b: text }) } }), "a.b", [text]],
    [
      "a reference into properties",
      object({ a: { anyOf: [text] }, b: { $ref: "#/properties/a/anyOf/0" } }),
      "b",
      [text],
    ],
    [
      "an escaped reference",
      object({ a: { $ref: "#/$defs/x~1y~0z%20" } }, { $defs: { "x/y~z ": object({ b: text }) } }),
      "a.b",
      [text],
    ],
    ["a reference to the root", object({ a: { $ref: "#" }, b: text }), "a.a.b", [text]],
    ["a recursive list", tree, "node.children[].children[].name", [text]],
    ["allOf, one member", { allOf: [object({ a: text }), object({ b: text })] }, "b", [text]],
    [
      "anyOf that only adds requirements",
      object({ a: text, b: text }, { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
      "b",
      [text],
    ],
    [
      "every alternative",
      { oneOf: [object({ a: text, b: text }), object({ a: { type: "number" } })] },
      "a",
      [{ type: "number" }, text],
    ],
    [
      "alternatives that can't be objects",
      object({ o: { anyOf: [object({ a: text }), { type: "null" }, text, { const: 1 }, { enum: ["x"] }, false] } }),
      "o.a",
      [text],
    ],
    [
      "nullable by a list of types",
      object({ o: { type: ["object", "null"], properties: { a: text } } }),
      "o.a",
      [text],
    ],
    ["one or many", object({ p: { anyOf: [text, { type: "array", items: text }] } }), "p[]", [text]],
    ["a name with a dot", object({ "prop.dot": text }), "prop\\.dot", [text]],
    [
      "the prototype's name",
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonObject,
      "__proto__",
      [text],
    ],
    ["true as a schema", object({ a: true }), "a", [true]],
    ["an empty schema", object({ a: {} }), "a", [{}]],
  ])("%s", (_, schema, path, schemas) => {
    const at = argumentAt(schema, path);
    const said = at.found ? leaves(schema, at.schema) : [];
    expect(said.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual(schemas);
  });
});

describe("an argument that it lacks", () => {
  const selfish = { $defs: { x: { $ref: "#/$defs/x" } }, properties: { a: { $ref: "#/$defs/x" } } };
  test.each<[string, JsonObject, string, string[]]>([
    ["another name", object({ path: text }), "pth", ["path"]],
    ["no properties", { type: "object" }, "a", []],
    ["only additional ones", { type: "object", additionalProperties: text }, "a", []],
    ["only patterns", { type: "object", patternProperties: { ".*": text } }, "a", []],
    ["names of the prototype", object({}), "constructor", []],
    ["a way through a text", object({ a: text }), "a.b", ["a"]],
    ["elements of a text", object({ a: text }), "a[]", ["a"]],
    ["elements of anything", object({ a: {} }), "a[]", ["a"]],
    [
      "a property of a list",
      object({ a: { type: "array", items: object({ b: text }) } }),
      "a.b",
      ["a", "a[]", "a[].b"],
    ],
    ["a property in a list of anything", object({ a: { type: "array" } }), "a[].b", ["a", "a[]"]],
    ["a tuple that goes on", object({ t: { type: "array", items: [object({ a: text })] } }), "t[].a", ["t", "t[]"]],
    ["one alternative of two", { oneOf: [object({ a: text, b: text }), object({ b: text })] }, "a", ["b"]],
    ["an alternative of which nothing is said", { anyOf: [object({ a: text }), {}] }, "a", []],
    ["then and else", { type: "object", if: {}, then: object({ a: text }), else: object({ a: text }) }, "a", []],
    ["not", { type: "object", not: object({ a: text }) }, "a", []],
    ["a reference to nowhere", object({ a: { $ref: "#/$defs/none" } }), "a.b", ["a"]],
    ["a reference to another document", object({ a: { $ref: "https://example.com/s.json" } }), "a.b", ["a"]],
    ["a reference to itself", selfish, "a.b", ["a"]],
    ["what can't be, by one of all", { allOf: [object({ a: text }), false] }, "a", []],
    ["never an object", { type: "string", properties: { a: text } }, "a", []],
    ["no path", object({ "": text, a: text }), "", ["a"]],
    ["a dot unescaped", object({ "prop.dot": text }), "prop.dot", ["prop\\.dot"]],
  ])("%s", (_, schema, path, known) => {
    expect(argumentAt(schema, path)).toEqual({ found: false, known });
  });

  test("what is known of a schema without end is bounded", () => {
    const at = argumentAt(tree, "nowhere");
    expect(at).toEqual({
      found: false,
      known: [
        "node",
        "node.children",
        "node.children[]",
        "node.children[].children",
        "node.children[].children[]",
        "node.children[].name",
        "node.name",
      ],
    });
  });

  test("schemas made to be slow aren't", () => {
    const $defs: Record<string, JsonObject> = { d0: object({ x: text }) };
    for (let i = 1; i < 150; i++)
      $defs[`d${i}`] = {
        allOf: [{ $ref: `#/$defs/d${i - 1}` }, { $ref: `#/$defs/d${i - 1}` }],
        anyOf: [{ $ref: `#/$defs/d${i - 1}` }],
      };
    const chain: Record<string, JsonObject> = {};
    for (let i = 0; i < 50_000; i++) chain[`c${i}`] = { $ref: `#/$defs/c${i + 1}` };
    const all = (): void => {
      expect(argumentAt({ $ref: "#/$defs/d60", $defs }, "x").found).toBe(true);
      expect(argumentAt({ $ref: "#/$defs/d149", $defs }, "x").found).toBe(false);
      expect(argumentAt({ $ref: "#/$defs/d60", $defs }, "y").found).toBe(false);
      expect(argumentAt({ $ref: "#/$defs/c0", $defs: chain }, "x").found).toBe(false);
      expect(unnamedArgumentOf({ $ref: "#/$defs/c0", $defs: chain })({ x: 1 })).toBe("x");
    };
    expect(fastest(1000, all)).toBeLessThan(1000);
  });
});

describe("what a schema doesn't name", () => {
  const nested = object({
    options: object({ path: text }),
    free: {},
    list: { type: "array", items: object({ path: text }) },
  });
  const recursive: JsonObject = {
    properties: { node: { $ref: "#/$defs/Node" } },
    $defs: { Node: { properties: { next: { $ref: "#/$defs/Node" }, value: text } } },
  };
  test.each<[string, JsonObject, JsonValue, string | undefined]>([
    ["a named one is taken", object({ a: text }), { a: 1 }, undefined],
    ["another isn't", object({ a: text }), { a: 1, b: 1 }, "b"],
    ["names are as they are, dots included", object({ "a.b": text }), { "a.b": 1 }, undefined],
    [
      "every alternative names",
      { properties: { a: text }, oneOf: [object({ b: text }), object({ c: text })], allOf: [object({ d: text })] },
      { a: 1, b: 1, c: 1, d: 1 },
      undefined,
    ],
    [
      "and what holds at times",
      {
        if: object({ z: text }),
        then: object({ a: text }),
        else: object({ b: text }),
        dependentSchemas: { a: object({ c: text }) },
      },
      { a: 1, b: 1, c: 1 },
      undefined,
    ],
    ["what must not be isn't named", { not: object({ a: text }) }, { a: 1 }, "a"],
    ["nor is what only a condition mentions", { if: object({ z: text }) }, { z: 1 }, "z"],
    ["a schema without properties names nothing", { type: "object", additionalProperties: true }, { a: 1 }, "a"],
    ["and takes an empty call", { type: "object" }, {}, undefined],
    ["within an argument too", nested, { options: { path: 1, other: 1 } }, "options.other"],
    ["in each element of a list", nested, { list: [{ path: 1 }, { else: 1 }] }, "list[].else"],
    ["an argument of which nothing is said is free", nested, { free: { anything: [{ x: 1 }] } }, undefined],
    ["through references, in a circle too", recursive, { node: { next: { next: { value: 1 } } } }, undefined],
    ["at any depth of a circle", recursive, { node: { next: { next: { other: 1 } } } }, "node.next.next.other"],
    [
      "behind a reference that leads nowhere nothing is free",
      object({ a: { $ref: "https://example.com/x" } }),
      { a: { x: 1 } },
      "a.x",
    ],
    ["the prototype names nothing", object({ a: text }), JSON.parse('{ "__proto__": 1 }') as JsonValue, "__proto__"],
    [
      "tuples, old and new",
      {
        properties: {
          t: { items: [object({ a: text })] },
          u: { prefixItems: [object({ a: text })], items: object({ b: text }) },
        },
      },
      { t: [{ a: 1 }], u: [{ a: 1 }, { b: 1 }] },
      undefined,
    ],
  ])("%s", (_, schema, args, want) => expect(unnamedArgumentOf(schema)(args)).toBe(want));
});

const captured = path.join(SHARED, "manifests");
describe.runIf(existsSync(captured))("captured manifests", () => {
  test("every property at the top is found by its escaped name", () => {
    let found = 0;
    for (const file of readdirSync(captured).filter((name) => name.endsWith(".json"))) {
      const { tools } = JSON.parse(readFileSync(path.join(captured, file), "utf8")) as {
        tools?: { name: string; inputSchema: JsonObject }[];
      };
      for (const tool of tools ?? []) {
        const properties = own(tool.inputSchema, "properties");
        for (const name of isObject(properties) ? Object.keys(properties) : []) {
          expect([file, tool.name, name, argumentAt(tool.inputSchema, escapeArgumentName(name)).found]).toEqual([
            file,
            tool.name,
            name,
            true,
          ]);
          expect(unnamedArgumentOf(tool.inputSchema)({ [name]: 1 })).toBeUndefined();
          found++;
        }
        expect(argumentAt(tool.inputSchema, "no such argument").found).toBe(false);
      }
    }
    expect(found).toBeGreaterThan(1000);
  });
});
