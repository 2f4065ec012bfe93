import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../runtime/contract.ts";
import { unnamedArgumentOf } from "../../runtime/pinned-schema.ts";

/** A tool with a `where` takes only what its pinned schema names: in the values of maps as well. */

const mode = { type: "object", properties: { mode: { type: "string" } } };
const schema = (opts: JsonValue): JsonValue => ({ type: "object", properties: { opts }, $defs: { mode } });

describe("of a map the names are free, and its values are named", () => {
  test.each<[string, JsonValue, JsonValue, string | undefined]>([
    ["named", { additionalProperties: mode }, { k: { mode: "a" } }, undefined],
    ["unnamed", { additionalProperties: mode }, { k: { mode: "a", force: true } }, "opts.k.force"],
    ["by a reference", { additionalProperties: { $ref: "#/$defs/mode" } }, { k: { force: true } }, "opts.k.force"],
    ["a pattern", { patternProperties: { "^x": mode } }, { xy: { force: true } }, "opts.xy.force"],
    [
      "either",
      { patternProperties: { "^x": mode }, additionalProperties: { properties: { b: {} } } },
      { xy: { mode: 1, b: 1 } },
      undefined,
    ],
    ["what is left", { unevaluatedProperties: mode }, { k: { force: true } }, "opts.k.force"],
    [
      "an alternative",
      { anyOf: [{ additionalProperties: mode }, { type: "string" }] },
      { k: { force: 1 } },
      "opts.k.force",
    ],
    [
      "a map of maps",
      { additionalProperties: { additionalProperties: mode } },
      { a: { b: { force: 1 } } },
      "opts.a.b.force",
    ],
    ["a map of lists", { additionalProperties: { items: mode } }, { a: [{ force: 1 }] }, "opts.a[].force"],
    ["a list of what is left", { unevaluatedItems: mode }, [{ force: 1 }], "opts[].force"],
    [
      "beside a name",
      { allOf: [{ properties: { k: {} } }, { additionalProperties: mode }] },
      { k: { force: 1 } },
      "opts.k.force",
    ],
    ["not beside its own", { properties: { k: {} }, additionalProperties: mode }, { k: { force: 1 } }, undefined],
    ["a circle", { $recursiveRef: "#" }, { force: true }, "opts.force"],
    ["a circle, named", { $recursiveRef: "#" }, { opts: {} }, undefined],
    ["a place that is found later", { $dynamicRef: "#m" }, { force: true }, "opts.force"],
    ["values of which nothing is said", { additionalProperties: true }, { k: { force: true } }, undefined],
    ["values of which little is said", { additionalProperties: { type: "object" } }, { k: { force: true } }, undefined],
    ["an object of which nothing is said", {}, { k: { force: true } }, undefined],
  ])("%s", (_, opts, value, unnamed) => {
    expect(unnamedArgumentOf(schema(opts))({ opts: value })).toBe(unnamed);
  });
});
