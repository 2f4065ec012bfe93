/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fc } from "../support/generated.ts";
import { afterAll, describe, expect, test } from "vitest";
import { isObject, type JsonObject, type JsonValue } from "../../compiler/base/json.ts";
import { declareArguments } from "../../compiler/5-artifacts/typescript/type-of-schema.ts";
import { createNames } from "../../compiler/5-artifacts/typescript/type-of-schema/names.ts";
import { code } from "../../compiler/5-artifacts/typescript/writer.ts";
import { temporaryProject, typeCheck } from "./tsc.ts";

/**
 * What a validator accepts, the type accepts. Random schemas over a tiny vocabulary and random values of the same
 * words, so that many values fit; each pair that Ajv accepts becomes an assignment, and one compiler run checks all.
 */

const schemas = 700;
const valuesPerSchema = 60;
const seed = 20_261_118;

const words = ["a", "b", "c"];
const drafts = ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"];
const references = ["#/$defs/p", "#/$defs/q", "#/properties/x", "#", "#/$defs/p/properties/a", "#/$defs/none"];

const scalar = fc.constantFrom<JsonValue>("a", "b", "", 0, 1, -1.5, true, false, null);

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
    {
      weight: 3,
      arbitrary: fc.dictionary(fc.constantFrom(...words), tie("value"), { maxKeys: 3, noNullPrototype: true }),
    },
  ),
}));

const kind = fc.constantFrom("string", "number", "integer", "boolean", "null", "object", "array");

const { schema } = fc.letrec<{ schema: JsonValue; map: JsonValue }>((tie) => ({
  map: fc.dictionary(fc.constantFrom(...words), tie("schema"), { maxKeys: 3, noNullPrototype: true }),
  schema: fc.oneof(
    { depthSize: "small" },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 3, arbitrary: fc.record({ type: fc.oneof(kind, fc.uniqueArray(kind, { minLength: 1, maxLength: 3 })) }) },
    { weight: 1, arbitrary: fc.record({ type: kind, nullable: fc.constant(true) }) },
    {
      weight: 2,
      arbitrary: fc.oneof(
        fc.record({ const: value }),
        fc.record({
          enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) }),
        }),
      ),
    },
    { weight: 1, arbitrary: fc.record({ $ref: fc.constantFrom(...references) }) },
    {
      weight: 6,
      arbitrary: fc.record(
        {
          type: fc.constant("object"),
          properties: tie("map"),
          required: fc.uniqueArray(fc.constantFrom(...words), { maxLength: 2 }),
          additionalProperties: tie("schema"),
          patternProperties: fc.record({ "^[ab]": tie("schema") }),
          propertyNames: fc.record({ enum: fc.constant(words) }),
        },
        { requiredKeys: ["properties"] },
      ),
    },
    {
      weight: 3,
      arbitrary: fc.record(
        { type: fc.constant("array"), items: tie("schema"), minItems: fc.nat(2), maxItems: fc.nat(3) },
        { requiredKeys: ["items"] },
      ),
    },
    {
      weight: 3,
      arbitrary: fc.record(
        {
          type: fc.constant("array"),
          prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
          items: tie("schema"),
          minItems: fc.nat(3),
          maxItems: fc.nat(3),
        },
        { requiredKeys: ["type", "prefixItems"] },
      ),
    },
    {
      weight: 3,
      arbitrary: fc.oneof(
        ...["anyOf", "oneOf", "allOf"].map((keyword) =>
          fc.array(tie("schema"), { minLength: 2, maxLength: 3 }).map((list) => ({ [keyword]: list })),
        ),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.record(
        { if: tie("schema"), then: tie("schema"), else: tie("schema"), not: tie("schema") },
        { requiredKeys: ["if"] },
      ),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.record(
            {
              type: fc.oneof(kind, fc.constant("object")),
              properties: tie("map"),
              required: fc.constant(["a"]),
              $ref: fc.constantFrom(...references),
              nullable: fc.constant(true),
            },
            { requiredKeys: [] },
          ),
          fc.record(
            {
              anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
              oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
              allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
              if: tie("schema"),
              then: tie("schema"),
              else: tie("schema"),
              not: tie("schema"),
            },
            { requiredKeys: [] },
          ),
        )
        .map(([a, b]) => ({ ...a, ...b })),
    },
  ) as fc.Arbitrary<JsonValue>,
}));

const document = fc
  .record({ $schema: fc.constantFrom(...drafts), x: schema, p: schema, q: schema })
  .map(({ $schema, x, p, q }): JsonObject => ({
    $schema,
    type: "object",
    properties: { x },
    required: ["x"],
    $defs: { p, q },
  }));

const project = temporaryProject();
afterAll(() => project.remove());

describe("types of random schemas", () => {
  test("what a validator accepts, the type accepts", { timeout: 120_000 }, async () => {
    const names = createNames([]);
    const [declared, accepted, refused]: [string[], string[], string[]] = [[], [], []];
    const values = fc.sample(value, { numRuns: schemas * valuesPerSchema, seed });
    fc.sample(document, { numRuns: schemas, seed }).forEach((whole, index) => {
      const accepts = validator(whole);
      if (accepts === undefined) return;
      const type = declareArguments(whole, `T${index}`, names);
      for (const { text } of type.declarations) declared.push(text);
      for (const one of values.slice(index * valuesPerSchema, (index + 1) * valuesPerSchema)) {
        const verdict = accepts({ x: one });
        const line = `{ const v = ${literal({ x: one })} as const; use<T.${type.name.text}>(v); }`;
        if (verdict === true) accepted.push(line);
        if (verdict === false && refused.length < 2_000) refused.push(line);
      }
    });
    const head = 'import type * as T from "./types.js";\ndeclare function use<Type>(value: Type): void;\n';
    project.write("src/types.ts", declared.join(""));
    project.write("src/accepted.ts", head + accepted.join("\n"));
    project.write("src/refused.ts", head + refused.join("\n"));

    const said = failures(await typeCheck(project, "7.0", ["src"], { isolatedDeclarations: false }));
    expect(said.filter(({ file }) => file === "src/types.ts").map(({ text }) => text)).toEqual([]);
    const wrong = said.filter(({ file, text }) => file === "src/accepted.ts" && !text.includes(typoGuard));
    expect(wrong.map(({ line, text }) => `${text}\n${accepted[line - 3]}`)).toEqual([]);

    // both halves must be worth something: types as wide as `unknown` would pass the first
    expect(accepted.length).toBeGreaterThan(4_000);
    const told = new Set(said.filter(({ file }) => file === "src/refused.ts").map(({ line }) => line)).size;
    expect(told / refused.length).toBeGreaterThan(0.8);
  });
});

/** TypeScript's guard against misspelt names: no question of which values a type has. */
const typoGuard = "has no properties in common with type";

const options = { strict: false, validateFormats: false, logger: false } as const;
const draft7 = new Ajv(options);
const draft2020 = new Ajv2020(options);

function validator(schema: JsonObject): ((value: unknown) => boolean | undefined) | undefined {
  try {
    const validate = (schema["$schema"] === drafts[0] ? draft7 : draft2020).compile(schema);
    return (value) => {
      try {
        return validate(value);
      } catch {
        return undefined; // a reference that leads to itself: the validator never ends
      }
    };
  } catch {
    return undefined; // what the validator won't compile has no verdict
  }
}

/** As an expression; the writer prints the scalars. */
function literal(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (isObject(value))
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${code`${key}`.text}: ${literal(one)}`)
      .join(", ")} }`;
  return code`${value as string | number | boolean | null}`.text;
}

interface Failure {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** One for each error, its further lines included. */
function failures(lines: readonly string[]): Failure[] {
  const found: { file: string; line: number; text: string }[] = [];
  for (const text of lines) {
    const place = /^(\S+?)\((\d+),\d+\): /.exec(text);
    if (place !== null) found.push({ file: place[1]!, line: Number(place[2]), text });
    else if (found.length > 0) found.at(-1)!.text += `\n${text}`;
    else found.push({ file: "", line: 0, text });
  }
  return found;
}
