import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod-3";
import { zodToJsonSchema } from "zod-to-json-schema";
import { resultLibraries } from "../../compiler/io/libraries.ts";
import { readResults } from "../../compiler/results/read-results.ts";

/** Schemas of the real packages, Zod 3 and Zod 4: what they accept and refuse, the JSON Schema does too. */

const libraries = resultLibraries(import.meta.filename);
const known = new Map([["tracker", undefined]]);

function read(schema: unknown) {
  return readResults({ tool: schema }, { server: "tracker", known }, libraries);
}

interface Case {
  readonly name: string;
  /** One text for both versions: what is said of one holds for the other. */
  readonly make: (zod: typeof z3) => { safeParse(value: unknown): { readonly success: boolean } };
}

const cases: readonly Case[] = [
  { name: "an object", make: (v) => v.object({ id: v.number(), title: v.string() }) },
  { name: "an object that strips", make: (v) => v.object({ id: v.number() }) },
  { name: "a strict object", make: (v) => v.object({ id: v.number() }).strict() },
  { name: "optional and nullable", make: (v) => v.object({ id: v.number().nullable(), title: v.string().optional() }) },
  { name: "a default", make: (v) => v.object({ id: v.number().default(1) }) },
  { name: "a transform", make: (v) => v.object({ id: v.string().transform(Number) }) },
  { name: "a list", make: (v) => v.array(v.object({ id: v.number().int().min(1) })).min(1) },
  { name: "a tuple", make: (v) => v.tuple([v.string(), v.number()]) },
  { name: "a union", make: (v) => v.union([v.string(), v.object({ id: v.literal(1) })]) },
  {
    name: "told apart",
    make: (v) => v.discriminatedUnion("id", [v.object({ id: v.literal("a") }), v.object({ id: v.literal("b") })]),
  },
  { name: "a record", make: (v) => v.record(v.string(), v.number()) },
  { name: "a pattern", make: (v) => v.object({ title: v.string().regex(/^a+$/) }) },
  {
    name: "used twice",
    make: (v) => {
      const one = v.object({ id: v.number() });
      return v.object({ a: one, b: one });
    },
  },
  { name: "any in it", make: (v) => v.object({ id: v.any() }) },
  { name: "an enum", make: (v) => v.enum(["a", "b"]) },
];
const values: readonly unknown[] = [
  null,
  1,
  0,
  1.5,
  "a",
  "b",
  "aaa",
  "x",
  "1",
  true,
  [],
  [1],
  ["a", 1],
  ["a", 1, 2],
  ["a"],
  {},
  { id: 1 },
  { id: "a" },
  { id: "b" },
  { id: "1" },
  { id: null },
  { id: null, title: "x" },
  { id: 1, title: "x" },
  { id: 1, title: "aa" },
  { title: "aa" },
  { title: "x" },
  { id: 1, more: 2 },
  [{ id: 1 }],
  [{ id: 0 }],
  [{ id: 1.5 }],
  [{}],
  { a: { id: 1 }, b: { id: 2 } },
  { a: { id: 1 } },
  { a: { id: "x" }, b: {} },
  { a: 1 },
];

describe.each([
  ["Zod 3", z3],
  ["Zod 4", z as unknown as typeof z3],
] as const)("%s", (_, zod) => {
  test.each(cases)("$name", ({ make }) => {
    const schema = make(zod);
    const { results, problems } = read(schema);
    expect(problems).toEqual([]);
    const made = results[0]!.schema;
    const engine = made["$schema"] === undefined ? new Ajv2020({ strict: false }) : new Ajv({ strict: false });
    const accepts = engine.compile(structuredClone(made));
    const verdicts = values.map((value) => [value, accepts(value)]);
    expect(verdicts).toEqual(values.map((value) => [value, schema.safeParse(value).success]));
  });

  test.each(["any", "unknown"] as const)("%s accepts everything: said, and not written", (name) => {
    const { results, problems } = read(zod[name]());
    expect([results, problems[0]!.why]).toEqual([[], "accepts everything, and so would hold nothing"]);
  });

  test.each(["date", "bigint", "symbol", "void", "nan"] as const)("%s isn't JSON", (name) => {
    const { results, problems } = read(zod.object({ at: zod[name]() }));
    expect([results, problems.length]).toEqual([[], 1]);
  });

  test("what stands behind a pipe is left out and noted", () => {
    const { results, notes } = read(zod.object({ id: zod.string().pipe(zod.enum(["a"])) }));
    expect(JSON.stringify(results[0]!.schema)).toContain('"id":{"type":"string"}');
    expect(notes[0]!.why).toContain("what stands behind `pipe` at `properties/id` isn't held");
    expect(read(zod.object({ id: zod.string().transform(Number) })).notes).toEqual([]);
  });

  test("a check in code is left out and noted", () => {
    const { results, notes } = read(zod.object({ id: zod.number().refine((id) => id % 2 === 0) }));
    expect(results).toHaveLength(1);
    expect(notes[0]!.why).toContain("a check in code (`refine`) at `properties/id` isn't held");
  });
});

describe("the trap: zod-to-json-schema and Zod 4", () => {
  test("the package makes of it a schema that accepts everything, and says nothing", () => {
    const { $schema, ...rest } = zodToJsonSchema(z.object({ id: z.number() }) as never) as Record<string, unknown>;
    expect([$schema, rest]).toEqual([expect.any(String), {}]);
  });

  test("it is never given one: at the top", () => {
    const never = { ...libraries, zod3: () => expect.fail("asked") };
    const { results } = readResults(
      { a: z.object({ id: z.number() }), b: mini.object({ id: mini.number() }) },
      { server: "tracker", known },
      never,
    );
    expect(results.map(({ schema }) => [schema["type"], schema["required"]])).toEqual([
      ["object", ["id"]],
      ["object", ["id"]],
    ]);
  });

  test.each([
    [
      "an object",
      z3.object({ list: z3.array(z3.object({ id: z.number() as never })) }),
      "properties/list/items/properties/id",
    ],
    ["a union", z3.union([z3.string(), mini.number() as never]), ""],
    ["a lazy one", z3.object({ a: z3.lazy(() => z.string() as never) }), "properties/a"],
  ])("nor within one of Zod 3: %s", (_, schema, at) => {
    const { results, problems } = read(schema);
    const where = at === "" ? "" : ` at \`${at}\``;
    expect([results, problems[0]?.why]).toEqual([[], `holds something${where} that isn't a schema of Zod 3`]);
  });

  test("and the other way round", () => {
    const { results, problems } = read(z.object({ id: z3.number() as never }));
    expect([results, problems[0]!.why]).toEqual([[], "holds something that isn't a schema of Zod 4"]);
  });

  test("without Zod 4 beside the module its schemas are a problem, not an empty schema", () => {
    const { problems } = readResults(
      { tool: z.string() },
      { server: "tracker", known },
      { ...libraries, zod4: undefined },
    );
    expect(problems[0]!.why).toContain("is a schema of Zod 4, and the module has no `zod` beside it");
  });
});

test("a schema that refers to itself: Zod 4 says it, of Zod 3 it is told", () => {
  interface Tree {
    readonly more: readonly Tree[];
  }
  const tree3: z3.ZodType<Tree> = z3.lazy(() => z3.object({ more: z3.array(tree3) }));
  expect(read(tree3).problems[0]!.why).toContain("refers to itself");
  const tree4: z.ZodType<Tree> = z.lazy(() => z.object({ more: z.array(tree4) }));
  const accepts = new Ajv2020({ strict: false }).compile(read(tree4).results[0]!.schema);
  expect([accepts({ more: [{ more: [] }] }), accepts({ more: [{ more: 1 }] })]).toEqual([true, false]);
});

test("exports: a tool, a server's tools, and what is neither", () => {
  const exports = {
    tool: z.string(),
    tracker: { other: z3.number() },
    limit: 3,
    helper: () => z.string(),
    default: { third: z.number() },
  };
  const { results, problems } = readResults(exports, { server: "tracker", known }, libraries);
  expect(problems).toEqual([]);
  expect(results.map(({ server, tool }) => `${server}.${tool}`)).toEqual([
    "tracker.tool",
    "tracker.other",
    "tracker.third",
  ]);
});
