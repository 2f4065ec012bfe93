import { expect, test } from "vitest";
import { moreNamed } from "../../compiler/diff/more-named.ts";

/** A tool with conditions takes what its schema names, and where it names nothing, anything. */

const of = (properties: object, more: object = {}) => ({ type: "object", properties, ...more }) as never;
const path = { path: { type: "string" } };

test.each<[string, never, never, string[]]>([
  ["one more", of(path), of({ ...path, force: {} }), ["force"]],
  ["one less", of({ ...path, force: {} }), of(path), []],
  ["none any more", of(path), of({}), ["*"]],
  ["one more within", of({ a: of(path) }), of({ a: of({ ...path, b: {} }) }), ["a.b"]],
  ["an object that is free now", of({ a: of(path) }), of({ a: { type: "object" } }), ["a"]],
  ["one more in elements", of({ a: { items: of(path) } }), of({ a: { items: of({ ...path, b: {} }) } }), ["a[].b"]],
  ["a name with a dot", of(path), of({ ...path, "b.c": {} }), ["b\\.c"]],
  ["any name", of(path), of(path, { additionalProperties: true }), ["*"]],
  ["another word for people", of(path), of(path, { description: "d", required: ["path"] }), []],
  ["called as a word for people", of(path), of({ ...path, title: {} }), ["title"]],
  ["another branch", of(path, { anyOf: [of(path)] }), of(path, { anyOf: [of({ b: {} })] }), ["*"]],
])("%s", (_, was, is, named) => expect(moreNamed(was, is)).toEqual(named));
