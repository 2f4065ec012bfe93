import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../compiler/base/json.ts";
import { neverText } from "../../compiler/checks/never-text.ts";

const whole = { type: "integer" };
const text = { type: "string" };
const list = (items: JsonValue): JsonValue => ({ type: "array", items });
const $defs = {
  edit: { type: "object", properties: { to: text } },
  edits: list({ $ref: "#/$defs/edit" }),
  selfish: { $ref: "#/$defs/selfish" },
  name: text,
};

describe("never text", () => {
  test.each<[string, JsonValue]>([
    ["a whole number", whole],
    ["a whole number or null", { type: ["integer", "null"] }],
    ["a whole number or null", { anyOf: [whole, { type: "null" }], default: null, title: "Line" }],
    ["a list of objects", list({ type: "object" })],
    ["a list of objects", { $ref: "#/$defs/edits", description: "What changes." }],
    ["a list of whole numbers", list(whole)],
    ["a list of lists", list(list(text))],
    ["a list of whole numbers or null or null", { type: ["array", "null"], items: { enum: [1, null] } }],
    ["a list of whole numbers", { type: "array", prefixItems: [whole, whole], items: false }],
    ["a list of whole numbers", { type: "array", items: [whole], additionalItems: whole }],
    ["a whole number", { enum: [1, 2] }],
    ["a whole number or a number", { enum: [1, 2.5] }],
    ["true or false", { const: true }],
    ["a list of whole numbers", { enum: [[1], [2, 3]] }],
    ["an object", { allOf: [{ description: "x" }, { type: "object" }] }],
    ["an object or a list of objects", { oneOf: [{ type: "object" }, list({ type: "object" }), false] }],
  ])("%s: %j", (words, schema) => {
    expect(neverText({ $defs }, schema)).toBe(words);
  });
});

describe("it may be text", () => {
  test.each<JsonValue>([
    true,
    false,
    {},
    text,
    { type: ["integer", "string"] },
    { type: "array" },
    list({}),
    list(text),
    { type: "array", items: [whole] },
    { type: "array", prefixItems: [whole, text], items: false },
    { enum: [1, "1"] },
    { enum: [["a"], 1] },
    { enum: [] },
    { const: "a" },
    { type: "anything" },
    { type: "constructor" },
    { anyOf: [whole, {}] },
    { anyOf: [whole, list(text)] },
    { $ref: "#/$defs/name" },
    { $ref: "#/$defs/nowhere" },
    { $ref: "#/$defs/selfish" },
  ])("%j", (schema) => {
    expect(neverText({ $defs }, schema)).toBeUndefined();
  });
});
