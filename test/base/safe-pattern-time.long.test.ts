import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { unsafePattern } from "../../compiler/base/safe-pattern.ts";
import { ACCEPTED } from "../support/accepted-patterns.ts";
import { fastest } from "../support/fastest.ts";

/** In a process of its own: where very many patterns were compiled V8 makes slower code of each. */

const LIMIT = 50;

/** The slowest text that is easily found: each piece repeated to the full length, with a start and an end that spoil it. */
function slowest(source: string, pieces: readonly string[]): number {
  const pattern = new RegExp(`^(?:${source})$`, "u");
  let worst = 0;
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(4096 / Math.max(1, piece.length))).slice(0, 4095);
    for (const given of [`${text}\n`, `${text}!`, text]) {
      worst = Math.max(
        worst,
        fastest(LIMIT, () => pattern.test(given)),
      );
    }
  }
  return worst;
}

const PIECES = [
  "a",
  "b",
  "ab",
  "aab",
  "aB1",
  "/",
  "a/",
  ".",
  "a.",
  "-",
  " ",
  "a ",
  "1",
  "1.",
  "0-",
  "foo",
  "foobar",
  " FROM ",
  "SELECT * FROM x ",
  ",",
  "a,",
  "\u{1f600}",
  '"',
  "x",
  "\u00e9",
  "https://a.example.com/",
];

describe("no accepted pattern is slow on 4,096 characters", () => {
  test.each(ACCEPTED)("%j", (source) => {
    expect(
      slowest(source, [...PIECES, ...PIECES.map((piece) => `${source.replace(/[^a-z]/gi, "").slice(0, 12)}${piece}`)]),
    ).toBeLessThan(LIMIT);
  });

  test("nor any that a generator makes; and it makes many", { timeout: 60_000 }, () => {
    const source = fc.letrec<{ any: string }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.constantFrom("a", "b", "c", "[ab]", "[^a]", ".", "\\w", "\\d", "/", "-"),
        fc.tuple(tie("any"), tie("any")).map(([left, right]) => left + right),
        fc.tuple(tie("any"), tie("any")).map(([left, right]) => `(${left}|${right})`),
        fc
          .tuple(tie("any"), fc.constantFrom("*", "+", "?", "{2}", "{0,3}", "{2,}"))
          .map(([body, times]) => `(${body})${times}`),
      ),
    })).any;
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.array(source, { minLength: 1, maxLength: 4 }),
        fc.array(fc.constantFrom("a", "b", "c", "1", "/", "-"), { minLength: 1, maxLength: 4 }),
        (parts, piece) => {
          if (unsafePattern(parts.join("")) !== undefined) return;
          accepted++;
          expect(slowest(parts.join(""), ["a", "ab", "abc", piece.join("")])).toBeLessThan(LIMIT);
        },
      ),
      { numRuns: 1500 },
    );
    expect(accepted).toBeGreaterThan(300);
  });

  test("judging a pattern is never slow itself", () => {
    const sources = [
      "(.*a){12}",
      ".*[ab].{11}c.*",
      "(a{1,2000}){1,2000}",
      `(${"ab|".repeat(1000)}c)*`,
      ".*a".repeat(1000),
      "[a-z]{0,4096}",
      "\\w{1,100}\\s{1,100}.{1,100}x",
    ];
    expect(fastest(2000, () => sources.forEach((source) => unsafePattern(source)))).toBeLessThan(2000);
  });
});
