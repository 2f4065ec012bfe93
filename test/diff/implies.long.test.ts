import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { implies, passing, type Implied, type Satisfies } from "../../compiler/diff/implies.ts";
import { schemaJudge } from "../../compiler/io/ask/runtime-judges.ts";
import type { Condition } from "../../runtime/contract.ts";

const never: Satisfies = () => false;
const holds = (these: Condition[], that: Condition) => implies(these, that, never);

describe("decided by meaning", () => {
  test.each<[string, Condition[], Condition, boolean]>([
    ["a smaller list", [{ enum: ["a"] }], { enum: ["a", "b"] }, true],
    ["a larger list", [{ enum: ["a", "c"] }], { enum: ["a", "b"] }, false],
    ["a list of paths within a glob", [{ enum: ["tests/a.ts", "tests/b/c.ts"] }], { glob: "tests/**" }, true],
    ["a folder within a folder", [{ glob: "tests/unit/**" }], { glob: "tests/**" }, true],
    ["a folder around it", [{ glob: "tests/**" }], { glob: "tests/unit/**" }, false],
    ["a segment within any number", [{ glob: "docs/*.md" }], { glob: "docs/**" }, true],
    ["`*` doesn't reach hidden files", [{ glob: "**" }], { glob: "**/*" }, false],
    ["hidden files that are written", [{ glob: ".github/*" }], { glob: "**" }, false],
    ["spelled otherwise", [{ glob: "./docs/**" }], { glob: "docs/**" }, true],
    ["a pattern within a pattern", [{ pattern: "[a-f]{1,3}" }], { pattern: "[a-z]+" }, true],
    ["a pattern that is longer", [{ pattern: "[a-z]{0,3}" }], { pattern: "[a-z]+" }, false],
    ["a choice", [{ pattern: "main|dev" }], { pattern: "main|dev|release-.*" }, true],
    [
      "a range",
      [{ schema: { type: "integer", minimum: 1, maximum: 5 } }],
      { schema: { type: "number", maximum: 5 } },
      true,
    ],
    [
      "an open end",
      [{ schema: { type: "number", maximum: 5 } }],
      { schema: { type: "number", exclusiveMaximum: 5 } },
      false,
    ],
    ["one of several that hold", [{ glob: "a/**" }, { glob: "a/b" }], { glob: "a/*" }, true],
    ["letters of any language", [{ glob: "docs/é ü/**" }], { glob: "docs/a/**" }, false],
    ["a root that nobody knows", [{ glob: "**", enum: ["/srv/a"] }], { glob: "tests/**" }, false],
    ["an anchor behind a bracket", [{ pattern: "x|\\[a" }], { pattern: "x|\\[^a" }, false],
    ["a group that looks ahead", [{ pattern: "b" }], { pattern: "(?!b)." }, false],
    ["nothing at all", [{ pattern: "b" }], {}, false],
    ["what can't be told", [{ pattern: "^a$" }], { pattern: "\\p{L}" }, false],
  ])("%s", (_, these, that, expected) => expect(holds(these, that).holds).toBe(expected));
});

/** What is found keeps to the one and not to the other. */
function expectShown(
  { holds: isWithin, ...found }: Implied,
  one: Condition,
  other: Condition,
  satisfies = never,
): void {
  if (isWithin || !("value" in found)) return;
  const value = found.value as string;
  expect([passing([one], satisfies)(value), passing([other], satisfies)(value)]).toEqual([true, false]);
}

const PIECES = ["*", "?", "a", "b", ".", "**"];
const globs = fc
  .array(
    fc
      .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 })
      .map((list) => (list.includes("**") ? "**" : list.join(""))),
    { minLength: 1, maxLength: 3 },
  )
  .map((segments) => segments.join("/"));

const SEGMENTS = ["a", "b", "ab", "ba", ".a", "aa", "c", "a.b"];
const PATHS = [
  ".",
  ...SEGMENTS,
  ...SEGMENTS.flatMap((one) => SEGMENTS.map((other) => `${one}/${other}`)),
  "a/a/a",
  "a/.a/a",
  "b/a/ab",
];

test("no path slips: what is within keeps within, and what isn't comes with a path that shows it", () => {
  fc.assert(
    fc.property(globs, globs, (one, other) => {
      const found = holds([{ glob: one }], { glob: other });
      expectShown(found, { glob: one }, { glob: other });
      const slipping = PATHS.filter(
        (path) => passing([{ glob: one }], never)(path) && !passing([{ glob: other }], never)(path),
      );
      if (found.holds) expect(slipping).toEqual([]);
      else if (slipping.length > 0) expect(found.value).toBeDefined();
    }),
    { numRuns: 3000 },
  );
});

const ATOMS = ["a", "b", "[ab]", "[^a]", ".", "(?:ab|b)", "a*", "b+", "[ab]{1,2}", "a?"];
const patterns = fc.array(fc.constantFrom(...ATOMS), { minLength: 1, maxLength: 4 }).map((list) => list.join(""));
const TEXTS = ["", "c"].concat(
  ...[1, 2, 3, 4].map((length) =>
    Array.from({ length: 2 ** length }, (_, i) =>
      i.toString(2).padStart(length, "0").replaceAll("0", "a").replaceAll("1", "b"),
    ),
  ),
);

test("no text slips through patterns", () => {
  fc.assert(
    fc.property(patterns, patterns, (one, other) => {
      const found = holds([{ pattern: one }], { pattern: other });
      expectShown(found, { pattern: one }, { pattern: other });
      const slipping = TEXTS.filter(
        (text) => passing([{ pattern: one }], never)(text) && !passing([{ pattern: other }], never)(text),
      );
      if (found.holds) expect(slipping).toEqual([]);
      else if (slipping.length > 0) expect(found.value).toBeDefined();
    }),
    { numRuns: 3000 },
  );
});

const end = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const ranges = fc
  .record({
    type: fc.constantFrom("number", "integer"),
    minimum: end,
    exclusiveMinimum: end,
    maximum: end,
    exclusiveMaximum: end,
  })
  .map((range): Condition => ({ schema: JSON.parse(JSON.stringify(range)) }));
const NUMBERS = Array.from({ length: 13 }, (_, i) => -1.5 + i / 2);

test("no number slips through ranges", async () => {
  const satisfies = await schemaJudge();
  fc.assert(
    fc.property(ranges, ranges, (one, other) => {
      const found = implies([one], other, satisfies);
      expectShown(found, one, other, satisfies);
      const slipping = NUMBERS.filter(
        (number) => passing([one], satisfies)(number) && !passing([other], satisfies)(number),
      );
      if (found.holds) expect(slipping).toEqual([]);
      else if (slipping.length > 0) expect(found.value).toBeDefined();
    }),
    { numRuns: 1000 },
  );
});

test("long lists of values are compared in a moment", () => {
  const listOf = (length: number): Condition => ({ enum: Array.from({ length }, (_, i) => `v${i}`) });
  const { user } = process.cpuUsage();
  expect(implies([listOf(40_000)], listOf(40_001), never)).toEqual({ holds: true });
  expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(3);
});
