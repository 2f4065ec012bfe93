import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { globFinder, globMatcher, isGlob, literal } from "../../compiler/base/glob.ts";
import { fastest } from "../support/fastest.ts";

describe("globs over tool names", () => {
  test.each([
    ["*", "", true],
    ["*", "anything.at/all\n", true],
    ["list_*", "list_issues", true],
    ["list_*", "list_", true],
    ["list_*", "List_issues", false],
    ["list_*", "my_list_issues", false],
    ["*issue*", "create_issue_comment", true],
    ["*issue*", "issue", true],
    ["get_?", "get_a", true],
    ["get_?", "get_", false],
    ["get_?", "get_ab", false],
    ["get_?", "get_\u{1f600}", true],
    ["get_??", "get_\u{1f600}", false],
    ["?", "e\u0301", false],
    ["\u00e9", "e\u0301", false],
    ["*.delete*", "notes.delete_all", true],
    ["a**b", "ab", true],
    ["a*b*c", "a-b-b-c-c", true],
    ["a*b*c", "a-c-b", false],
    ["*?*", "", false],
    ["*?*", "x", true],
    ["\\*", "*", true],
    ["\\*", "x", false],
    ["a\\?*", "a?b", true],
    ["a\\?*", "axb", false],
    ["\\\\*", "\\x", true],
    ["a\\", "a\\", true],
    ["[ab]*", "a", false],
    ["[ab]*", "[ab]c", true],
    ["{a,b}?", "{a,b}c", true],
    ["a.c*", "abc", false],
    ["*\u{1f600}", "\u{1f600}\u{1f600}", true],
    ["*\ude00", "\u{1f600}", false],
    ["*\udc00", "\ud83d\ude00\udc00", true],
    ["", "", true],
    ["", "x", false],
  ])("%j on %j: %j", (glob, name, want) => {
    expect(globMatcher(glob)(name)).toBe(want);
  });

  test.each([
    ["create_issue", false, "create_issue"],
    ["create_*", true, "create_*"],
    ["what?", true, "what?"],
    ["what\\?", false, "what?"],
    ["\\*\\\\", false, "*\\"],
    ["\\\\*", true, "\\*"],
    ["a\\.b", false, "a.b"],
    ["end\\", false, "end\\"],
    ["line\\\nbreak", false, "line\nbreak"],
    ["", false, ""],
  ])("%j is a glob: %j; as it is: %j", (selector, glob, name) => {
    expect(isGlob(selector)).toBe(glob);
    expect(literal(selector)).toBe(name);
  });

  test("says what a regular expression says", () => {
    const asRegExp = (glob: string): RegExp =>
      new RegExp(
        `^${glob
          .replace(/[.+^${}()|[\]\\]/g, "\\$&")
          .replaceAll("*", ".*")
          .replaceAll("?", ".")}$`,
        "su",
      );
    const piece = fc
      .array(fc.constantFrom("a", "b", "*", "?", ".", "\u{1f600}"), { maxLength: 8 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(piece, piece, (glob, name) => void expect(globMatcher(glob)(name)).toBe(asRegExp(glob).test(name))),
      { numRuns: 3000 },
    );
  });

  test("among many names finds what each alone is found by", () => {
    const piece = (...signs: string[]) =>
      fc.array(fc.constantFrom(...signs), { maxLength: 6 }).map((parts) => parts.join(""));
    const letters = ["a", "b", "_", ".", "\u{1f600}", "\ud83d", "\ude00"];
    const globs = fc.array(piece(...letters, "*", "?", "?", "\\"), { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(piece(...letters), { maxLength: 12 }), globs, (names, some) => {
        const find = globFinder(names);
        for (const glob of some)
          expect(find(glob)).toEqual(names.flatMap((name, i) => (globMatcher(glob)(name) ? [i] : [])));
      }),
      { numRuns: 3000 },
    );
  });

  test("many globs are found among many names in a moment", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `tool_${i}_x`);
    const globs = names.map((name) => name.replaceAll("_", "?"));
    const found = (): void => expect(globs.map(globFinder(names))).toEqual(names.map((_, i) => [i]));
    expect(fastest(1500, found)).toBeLessThan(1500);
    expect(globFinder(["a".repeat(50_000)])("?".repeat(50_000))).toEqual([0]);
  });

  test("an exact name escaped is found by itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const selector = name.replace(/[*?\\]/g, "\\$&");
        expect(isGlob(selector)).toBe(false);
        expect(literal(selector)).toBe(name);
        expect(globMatcher(selector)(name)).toBe(true);
      }),
    );
  });

  test("no name is slow", () => {
    const name = "a".repeat(10_000);
    expect(fastest(100, () => expect(globMatcher("*a*a*a*a*a*a*b")(name)).toBe(false))).toBeLessThan(100);
    expect(fastest(100, () => expect(globMatcher("*?a*?a*?a*b")(name)).toBe(false))).toBeLessThan(100);
  });
});
