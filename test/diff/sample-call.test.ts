import { expect, test } from "vitest";
import { sampleCall, type HeldBefore } from "../../compiler/diff/sample-call.ts";
import { schemaJudge } from "../../compiler/io/ask/runtime-judges.ts";
import type { ArgumentRule } from "../../runtime/contract.ts";

/** The one call that a page shows: it passes now, it didn't before, and the tool would take it. */

const satisfies = await schemaJudge();
const text = (more: object = {}) => ({ type: "string", ...more });
const of = (properties: object, ...required: string[]) => ({ type: "object", properties, required }) as never;
const rule = (argument: string, glob: string): ArgumentRule => ({ argument, conditions: [{ glob }] });
const before = (schema: never, ...rules: ArgumentRule[]): HeldBefore => ({ rules, schema });

const PATH = of({ path: text() }, "path");
const FOLDER = of({ path: text({ enum: ["src", "docs"] }) }, "path");
const DIGITS = of({ path: text(), id: text({ pattern: "^[0-9]{9}$" }) }, "path", "id");

test.each<[string, HeldBefore | undefined, readonly ArgumentRule[], never, unknown]>([
  ["of a tool that wasn't held", undefined, [], PATH, { path: "x" }],
  ["of one with a wider condition", before(PATH, rule("path", "a/b")), [rule("path", "c/d")], PATH, { path: "c/d" }],
  ["of one within a folder", undefined, [rule("path", "docs/**")], PATH, { path: "docs/x" }],
  ["of one anywhere", undefined, [rule("path", "**")], PATH, { path: "x" }],
  ["that passes for a file alone", undefined, [rule("path", "docs")], PATH, { path: "docs" }],
  ["that the schema lets pass for a folder alone", undefined, [rule("path", "docs/**")], FOLDER, { path: "docs" }],
  [
    "that passed before for what is within",
    before(PATH, rule("path", "docs/?*/**")),
    [rule("path", "docs/**")],
    PATH,
    { path: "docs" },
  ],
  ["that passed before is none", before(PATH, rule("path", "**")), [rule("path", "c/d")], PATH, undefined],
  ["that the schema refuses is none", undefined, [], DIGITS, undefined],
  ["that a condition refuses is none", undefined, [rule("path", "a"), rule("path", "b")], PATH, undefined],
])("a call %s", (_, was, now, schema, expected) =>
  expect(sampleCall(schema, was, now, undefined, satisfies)).toEqual(expected),
);
