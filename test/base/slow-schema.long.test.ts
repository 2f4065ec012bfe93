import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fc } from "../support/generated.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { canonicalText } from "../../compiler/base/canonical.ts";
import type { JsonValue } from "../../compiler/base/json.ts";
import { patternJudge, slowness } from "../../compiler/base/slow-schema.ts";
import { type Checks, loadChecks } from "../../runtime/session/schemas.ts";
import { SHARED } from "../support/root.ts";

/** A schema and a value that a stranger chose: the build says which can be slow, and no check keeps an app still. */

const runaway = { type: "string", pattern: "^(a+)+$" };
const nested = { anyOf: [{ items: { $ref: "#" } }, { items: { $ref: "#" }, minItems: 1 }] };

describe("the build says why a schema can be slow", () => {
  test.each([
    ["a pattern", runaway, "has a pattern that can read a text in too many ways"],
    ["a pattern of names", { patternProperties: { "(x+x+)+y": {} } }, "has a pattern that"],
    ["alternatives that come back", nested, "refers back to itself"],
    ["any circle", { properties: { next: { $ref: "#/properties/next" } } }, "refers back to itself"],
    ["every two of a list", { type: "array", uniqueItems: true }, "has `uniqueItems` on a list without"],
    ["doubling without a circle", doubling(30), "unfolds to more than 500 parts"],
    ["levels", JSON.parse(`${'{"items":'.repeat(300)}{"pattern":"a"}${"}".repeat(300)}`), "is nested more than 100"],
    ["a name of a place", { $ref: "#anchor" }, "refers to what isn't a place in it"],
    ["another place to begin at", { properties: { q: { $id: "y", $ref: "#/$defs/n" } } }, "has an `$id` of its own"],
    ["a thousand names", { required: names(1000) }, "unfolds to more than 500 parts"],
    ["a thousand times no", { anyOf: names(1000).map(() => false) }, "unfolds to more than 500 parts"],
    ["very long texts", { enum: ["a".repeat(300_000)] }, "is longer than 200000 characters"],
    ["a format that isn't linear", { properties: { q: { format: "url" } } }, "has the format `url`"],
    ["a format that nobody knows", { format: "x" }, "has the format `x`"],
    ["a pattern of many wide classes", { pattern: `^${"\\p{L}".repeat(26)}$` }, "has a pattern that names too many"],
    [
      "many short lists without two alike",
      { allOf: times(40, () => ({ uniqueItems: true, maxItems: 100 })) },
      "unfolds to",
    ],
    ["many of few", { allOf: times(30, () => ({ pattern: "^\\p{L}$" })) }, "unfolds to more than 500 parts"],
    ["a place that is found later", { $dynamicRef: "#x" }, "uses `$dynamicRef`"],
  ])("%s", (_, schema, why) => expect(judged(schema as JsonValue)).toContain(why));

  test.each([
    ["nothing", {}],
    ["what most tools have", { type: "object", properties: { path: { type: "string", pattern: "^[a-z/]{1,64}$" } } }],
    ["a reference", { $defs: { a: { type: "string" } }, properties: { x: { $ref: "#/$defs/a" } } }],
    ["a short list without two alike", { type: "array", uniqueItems: true, maxItems: 20 }],
    ["doubling that stays small", doubling(3)],
  ])("and that it is quick: %s", (_, schema) => expect(judged(schema as JsonValue)).toBeUndefined());
});

test("judging is linear in what is read", () => {
  const hostile: JsonValue[] = [
    doubling(5000),
    { anyOf: Array.from({ length: 20_000 }, (_, i) => ({ $ref: `#/anyOf/${(i * 7919) % 20_000}` })) },
    { allOf: Array.from({ length: 2000 }, (_, i) => ({ pattern: `^([a-z]{${i},40}[b-y]*)*(x|y${i})+$` })) },
    JSON.parse(`${"[".repeat(4000)}1${"]".repeat(4000)}`) as JsonValue,
  ];
  for (const schema of hostile) {
    const text = JSON.stringify(schema);
    const spent = stillMs(() => void slowness(schema, text, patternJudge(text.length)));
    expect(spent, text.slice(0, 60)).toBeLessThan(200 + text.length / 100);
  }
});

const MANIFESTS = path.join(SHARED, "manifests");
test.runIf(existsSync(MANIFESTS))("of real schemas few are slow", () => {
  let schemas = 0;
  const slow = new Map<string, number>();
  for (const text of realManifests()) {
    const judge = patternJudge(text.length);
    for (const tool of (JSON.parse(text) as { tools?: Record<string, JsonValue>[] }).tools ?? []) {
      for (const schema of [tool["inputSchema"], tool["outputSchema"]]) {
        if (typeof schema !== "object" || schema === null) continue;
        schemas++;
        const why = slowness(schema, canonicalText(schema), judge)?.split(" ").slice(0, 3).join(" ");
        if (why !== undefined) slow.set(why, (slow.get(why) ?? 0) + 1);
      }
    }
  }
  expect(schemas).toBeGreaterThan(4000);
  expect(Object.fromEntries(slow)).toMatchInlineSnapshot(`
    {
      "has a pattern": 34,
      "has the format": 5,
      "refers back to": 17,
      "unfolds to more": 15,
    }
  `);
});

describe("no check keeps an app still", () => {
  let checks: Checks;
  beforeAll(async () => void (checks = await loadChecks()));

  test.each<[string, JsonValue, JsonValue]>([
    ["a pattern that runs away", runaway, `${"a".repeat(60)}!`],
    ["alternatives that come back", nested, JSON.parse(`${"[".repeat(60)}1${"]".repeat(60)}`) as JsonValue],
    ["every two of a long list", { uniqueItems: true }, Array.from({ length: 60_000 }, (_, i) => ({ i }))],
  ])("%s", (_, schema, value) => {
    let objection: string | undefined;
    const check = checks(schema, judged(schema) !== undefined);
    const spent = stillMs(() => void (objection = check(value)));
    expect(objection).toContain("can't be judged by its schema within 90 ms");
    expect(spent).toBeLessThan(250);
  });

  test.each(Object.keys(SHAPES))("when it compiles a schema of 100, 500, 3,000 and 20,000 parts: %s", (shape) => {
    for (const size of [100, 500, 3000, 20_000]) {
      const schema = SHAPES[shape]!(size);
      const slow = judged(schema) !== undefined;
      for (let i = 0; i < 2; i++) {
        const spent = stillMs(() => void checks(schema, slow)({ a: "x", k0: 1 }));
        expect(spent, `${size}, ${i + 1}. call`).toBeLessThan(200);
      }
    }
  });

  test("a schema that can't be compiled in time is refused at once from then on", () => {
    const schema = SHAPES["names that need others"]!(10_000);
    expect(checks(schema, true)({})).toContain("can't be judged by its schema within 90 ms");
    expect(stillMs(() => Array.from({ length: 100 }, () => checks(schema, true)({})))).toBeLessThan(200);
  });

  test("quick formats are linear", () => {
    for (const format of [
      "date-time",
      "duration",
      "uri",
      "uri-reference",
      "uri-template",
      "email",
      "hostname",
      "ipv6",
    ]) {
      const schema: JsonValue = { allOf: times(80, () => ({ anyOf: [{ format }, true] })) };
      expect(judged(schema)).toBeUndefined();
      const check = checks(schema, false);
      for (const [before, unit] of HOSTILE_UNITS) {
        const text = `${before}${unit.repeat(4000 / unit.length)}!`.slice(0, 4000);
        expect(
          stillMs(() => void check(text)),
          `${format} ${before}${unit}`,
        ).toBeLessThan(100);
      }
    }
  });

  test("six hundred formats that aren't linear", () => {
    const schema: JsonValue = { anyOf: Array.from({ length: 600 }, () => ({ format: "url" })) };
    const check = checks(schema, judged(schema) !== undefined);
    expect(stillMs(() => void check(`http://${":".repeat(3900)}`))).toBeLessThan(200);
  });

  test("a schema that takes long to compile lets nothing through", () => {
    const schema = doubling(5000);
    expect(judged(schema)).toBeDefined();
    let objection: string | undefined;
    expect(stillMs(() => void (objection = checks(schema, true)({})))).toBeLessThan(400);
    expect(objection).toContain("can't be");
  });

  const WIDE = "\\p{L}";
  const own = `[^${Array.from({ length: 30 }, (_, i) => String.fromCodePoint(0x10000 + ((i * 8198) % 0xffff0))).join("")}]`;
  test.each<[string, JsonValue]>([
    ["seven", { pattern: `${WIDE.repeat(7)}[0-9]` }],
    ["repeated", { pattern: "\\P{L}{1,3}\\P{L}{1,3}\\P{L}{1,3}q12" }],
    ["written out", { pattern: `${own.repeat(12)}q` }],
    ["a hundred in each of two hundred", { anyOf: times(200, (i) => ({ pattern: WIDE.repeat(100) + i })) }],
    ["thousands in one", { pattern: `[${WIDE.repeat(45_000)}]` }],
    ["forty thousand", { pattern: WIDE.repeat(40_000) }],
    ["in a name", { patternProperties: { [WIDE.repeat(9)]: true } }],
  ])("classes of half of all letters: %s", (_, schema) => {
    const check = checks(schema, judged(schema) !== undefined);
    for (const value of ["éЖxyz".repeat(800), { ["éЖxyz".repeat(800)]: 1 }])
      expect(stillMs(() => void check(value))).toBeLessThan(200);
  });

  test("such a pattern as a value of the format for patterns", () => {
    const check = checks({ format: "regex" }, true);
    expect(check("^\\p{L}+$")).toBeUndefined();
    expect(stillMs(() => void check(`[${WIDE.repeat(30_000)}]`))).toBeLessThan(200);
  });

  test("a few of them are quick, and mean what they say", () => {
    const schema = { type: "string", pattern: "\\p{L}[\\p{L}\\p{N}_-]{2}$" };
    expect(judged(schema)).toBeUndefined();
    const check = checks(schema, false);
    for (const yes of ["éЖx", "1 ж-2", "a\u{10400}\u{10400}"]) expect(check(yes), yes).toBeUndefined();
    for (const no of ["", "1éЖ!", "é1"]) expect(check(no), no).toContain("must match pattern");
  });

  test("a schema may refer to itself", () => {
    const check = checks({ type: "object", properties: { next: { $ref: "#" }, name: { type: "string" } } }, true);
    expect(check({ next: { next: { name: "a" } } })).toBeUndefined();
    expect(check({ next: { next: { name: 1 } } })).toContain("must be string");
  });

  test("what is slow and small is judged as ever", () => {
    const check = checks({ ...runaway, title: "small" }, true);
    expect(check("aaa")).toBeUndefined();
    expect(check("b")).toContain("pattern");
  });

  test("hostile schemas and values that a generator makes", () => {
    fc.assert(
      fc.property(hostileSchema(), hostileValue(), (schema, value) => {
        const spent = stillMs(() => void checks(schema, judged(schema) !== undefined)(value));
        expect(spent).toBeLessThan(200);
      }),
      { numRuns: 100 },
    );
  });
});

function names(length: number, before = "k"): string[] {
  return Array.from({ length }, (_, i) => `${before}${i}`);
}

function times(length: number, part: (i: number) => JsonValue): JsonValue[] {
  return Array.from({ length: Math.ceil(length) }, (_, i) => part(i));
}

function named(length: number, part: (i: number) => JsonValue): { [name: string]: JsonValue } {
  return Object.fromEntries(names(length).map((name, i) => [name, part(i)]));
}

/** Schemas of about so many parts: of each a validator writes code. */
const SHAPES: Readonly<Record<string, (parts: number) => JsonValue>> = {
  "names that need others": (n) => ({ dependentRequired: { a: names(n) } }),
  "names that need others, in the older spelling": (n) => ({ dependencies: { a: names(n) } }),
  "lists of such names": (n) => ({ dependentRequired: named(n / 100, () => names(100, "z")) }),
  "schemas that others bring": (n) => ({ dependentSchemas: named(n, () => false) }),
  "properties that may not be": (n) => ({ properties: named(n, () => false) }),
  "properties of two kinds": (n) => ({ properties: named(n / 4, () => ({ type: ["string", "null"] })) }),
  "names of patterns": (n) => ({
    patternProperties: named(Math.min(n, 1000), () => true),
    additionalProperties: false,
  }),
  "names, none beside them": (n) => ({ properties: named(n, () => true), additionalProperties: false }),
  "alternatives that never hold": (n) => ({ anyOf: times(n, () => false) }),
  "one of what never holds": (n) => ({ oneOf: times(n, () => false) }),
  "all of what never holds": (n) => ({ allOf: times(n, () => false) }),
  "a tuple": (n) => ({ prefixItems: times(n, () => false) }),
  "lists of what must be": (n) => ({ allOf: times(n / 150, (j) => ({ required: names(150, `j${j}`) })) }),
  "what a list contains": (n) => ({ allOf: times(n / 2, () => ({ contains: false })) }),
  "what a name is": (n) => ({ allOf: times(n / 2, () => ({ propertyNames: false })) }),
  "values, a few at a time": (n) => ({ allOf: times(n / 150, (j) => ({ enum: names(150, `j${j}`) })) }),
  values: (n) => ({ enum: names(n) }),
  "conditions that ask for what was seen": (n) => ({
    anyOf: times(n / 3, (i) => ({ properties: { [`k${i}`]: true } })),
    unevaluatedProperties: false,
  }),
  "a part that many refer to": (n) => ({
    $defs: { a: { anyOf: times(30, () => false) } },
    anyOf: times(n / 2, () => ({ $ref: "#/$defs/a" })),
  }),
};

const HOSTILE_UNITS = ["", "a", "a@", "a@a", "http://", "//a:", "P", "1:", "{"].flatMap((before) =>
  ["a", "1", "-", ".", ":", "/", "a.", "1.", "::", "%20", "@", "{a}", "T", "0-"].map((unit) => [before, unit] as const),
);

function judged(schema: JsonValue): string | undefined {
  const text = canonicalText(schema);
  return slowness(schema, text, patternJudge(text.length));
}

/** Each definition holds the next one twice. */
function doubling(levels: number): JsonValue {
  const next = (i: number) => ({ $ref: `#/$defs/d${i + 1}` });
  const defs = Array.from({ length: levels }, (_, i) => [`d${i}`, { allOf: [next(i), next(i)] }] as const);
  return { $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(defs), [`d${levels}`]: {} } };
}

/**
 * How long the thread stood still: no longer than the time on the wall, which a busy machine stretches, and no longer than
 * the processors' time, to which the engine's own threads add.
 */
function stillMs(work: () => void): number {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  work();
  const { user, system } = process.cpuUsage(cpu);
  return Math.min((user + system) / 1000, performance.now() - wall);
}

function* realManifests(): Generator<string> {
  for (const entry of readdirSync(MANIFESTS, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith(".json"))
      yield readFileSync(path.join(entry.parentPath, entry.name), "utf8");
  }
}

function hostileSchema(): fc.Arbitrary<JsonValue> {
  const pattern = fc.constantFrom(
    "^(a+)+$",
    "(x+x+)+y",
    "(a|a)*b",
    "^([a-z]+)*$",
    "(.*a){12}",
    ".*a.*a.*a.*b",
    "[a-z]+!",
  );
  const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.record({ pattern }),
      fc.constantFrom<JsonValue>({ uniqueItems: true }, { $ref: "#" }, { format: "email" }, { format: "uri" }),
      fc.constantFrom<JsonValue>({ format: "hostname" }, { format: "date-time" }, { type: "array" }, { maxLength: 3 }),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 4 }) }),
      fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 4 }) }),
      fc.record({ items: tie("schema"), not: tie("schema") }),
      fc.record({ additionalProperties: tie("schema") }),
      fc
        .tuple(fc.constantFrom(...Object.values(SHAPES)), fc.constantFrom(20, 200, 450, 900, 2500, 10_000))
        .map(([shape, parts]) => shape(parts)),
      fc
        .tuple(tie("schema"), fc.constantFrom(3, 60, 700), fc.constantFrom("url", "regex", "uri", "email"))
        .map(([schema, length, format]) => ({ anyOf: times(length, () => ({ format })), not: schema })),
    ),
  }));
  return schema;
}

function hostileValue(): fc.Arbitrary<JsonValue> {
  const long = fc
    .tuple(fc.constantFrom("a", "x", "a@", "a.", "-", "0:"), fc.constantFrom(30, 4000, 400_000))
    .map(([unit, times]) => `${unit.repeat(times)}!`);
  const deep = fc.constantFrom(20, 60, 3000).map((n) => JSON.parse(`${"[".repeat(n)}1${"]".repeat(n)}`) as JsonValue);
  const wide = fc
    .tuple(long, fc.constantFrom(3, 2000))
    .map(([text, n]) => Array.from({ length: n }, () => text.slice(0, 40)));
  return fc.oneof(
    long,
    deep,
    wide,
    fc.tuple(deep, long).map(([a, b]) => ({ a, b, c: [a, a] })),
  );
}
