import { fc } from "../support/generated.ts";
import { describe, expect, test } from "vitest";
import { shapeOfPattern } from "../../compiler/base/pattern-syntax.ts";
import { unsafePattern } from "../../compiler/base/safe-pattern.ts";
import { fastest } from "../support/fastest.ts";

const ACCEPTED = [
  "",
  "abc",
  "[a-z0-9-]+",
  "(feature|fix)/[a-z0-9._-]+",
  "v\\d+\\.\\d+\\.\\d+",
  "https://example\\.com/.*",
  "[^;]*",
  "SELECT [^;]*",
  "\\d{4}-\\d{2}-\\d{2}",
  "(a|b|c)*",
  "^abc$",
  "\\bword\\b",
  ".*",
  ".+",
  ".*\\.ts",
  ".*\\.(test|spec)\\.tsx?",
  "([a-z]+/)*[a-z]+\\.(ts|tsx|js)",
  "[\\w.+-]+@[\\w-]+\\.[\\w.-]+",
  "(https|http)://([a-z0-9-]+\\.)*example\\.com(/.*)?",
  "https?://[^/]+/.*",
  "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  "(\\w+\\s)*\\w+",
  "(\\d+\\.)*\\d+",
  "((a|b)+,)*",
  "(?:a|b)+?c",
  "(?<year>\\d{4})",
  "\\p{L}+",
  "[\\p{L}\\p{N}_]+",
  "[^\\p{C}]*",
  ".{1,255}",
  "[a-z]{0,4096}",
  "\\u{1f600}+",
  "\\ud83d\\ude00*x",
  "[\\u{1f600}-\\u{1f64f}]*",
  "[\\b\\t\\-\\]]*",
  "\\x41\\cJ\\0",
  "(a*)?",
  "-?\\d+(\\.\\d+)?",
  '([^"]*|"[^"]*")',
  ".*foo.*",
  ".*/.*\\.ts",
  "SELECT .* FROM .*;",
  "[a-z]+-[a-z-]+",
  "(.*foo.*|.*bar)",
  "(a|ab)(c|bcd)(d*)",
  "x{3}",
  "x{2,}",
];

describe("accepted", () => {
  test.each(ACCEPTED)("%j", (source) => {
    expect(unsafePattern(source)).toBeUndefined();
  });
});

describe("refused", () => {
  const tooMany = "can read a text in too many ways";
  test.each([
    ["(a+)+", tooMany],
    ["([a-z]+)*", tooMany],
    ["(a|a)*", tooMany],
    ["(a|aa)+", tooMany],
    ["(a|[a-c])*d", tooMany],
    ["(x+x+)+y", tooMany],
    ["(.*a){12}", tooMany],
    ["(\\w+\\s?)*", tooMany],
    ["([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*@x", tooMany],
    ["(\\p{L}|a)*", tooMany],
    ["([^\\p{L}]|1)*", tooMany],
    ["(\\ud83d\\ude00|\\u{1f600})*", tooMany],
    ["(\\x61|a)*", tooMany],
    ["([^a]|b)*", tooMany],
    ["(.|\\s)*", tooMany],
    ["(\\D|x)*", tooMany],
    ["(^a+$)+", tooMany],
    ["(?:(?:a|b)|(?:b|c))*", tooMany],
    ["((ab)*|(ab)+c?)*", "repeats something that can be empty"],
    ["a*a*", tooMany],
    [".*.*", tooMany],
    ["\\d+\\w+", tooMany],
    ["\\s*\\s*x", tooMany],
    ["a*b?a*", tooMany],
    ["(a*)(a*)", tooMany],
    [".*a.*b.*c", tooMany],
    ["(.*,){3}x", tooMany],
    ["a?".repeat(30) + "a".repeat(30), tooMany],
    ["(a|a)".repeat(20), tooMany],
    ["a{0,60}a{0,60}a{0,60}b", tooMany],
    ["(a{1,2000}){1,2000}", tooMany],
    ["(a*)*", "repeats something that can be empty"],
    ["(a?)+", "repeats something that can be empty"],
    ["(|a)*", "repeats something that can be empty"],
    ["(^)*", "repeats something that can be empty"],
    ["((){99999}){99999}", "repeats something that can be empty"],
    ["\\p{L}".repeat(26), "names too many classes of characters"],
    ["(a)\\1", "refers back to a group"],
    ["(?<x>a)\\k<x>", "refers back to a group"],
    ["(?=a)a", "looks ahead or behind"],
    ["(?!a).*", "looks ahead or behind"],
    ["(?<=a)b", "looks ahead or behind"],
    ["(?<!a)b", "looks ahead or behind"],
    ["(", "isn't a regular expression (`u` flag): "],
    ["a)|(?:b", "isn't a regular expression (`u` flag): "],
    ["\\-", "isn't a regular expression (`u` flag): "],
    ["a{2", "isn't a regular expression (`u` flag): "],
    ["[z-a]", "isn't a regular expression (`u` flag): "],
    ["*", "isn't a regular expression (`u` flag): "],
    ["a".repeat(4097), "is longer than 4096 characters"],
    ["(".repeat(500) + "a" + ")".repeat(500), "nests groups more than 100 deep"],
  ])("%j", (source, why) => {
    expect(unsafePattern(source)?.slice(0, why.length)).toBe(why);
  });
});

describe("the characters that a piece of a pattern takes", () => {
  test.each([
    ".",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "\\t",
    "\\n",
    "\\v",
    "\\f",
    "\\r",
    "\\0",
    "\\cA",
    "\\cz",
    "\\x7e",
    "\\u20ac",
    "\\u{20ac}",
    "\\.",
    "\\/",
    "[]",
    "[^]",
    "[a-cx-z]",
    "[^a-c]",
    "[\\w.-]",
    "[^\\s\\d]",
    "[\\b]",
    "[\\x00-\\x1f]",
    "[\\u0100-\\u{200}]",
    "[\\]\\\\\\-^]",
    "[-a]",
    "[a-]",
    "[z\\-a]",
    "\\ud83d",
    "[\\d-]",
    "[^^]",
    "\u20ac",
  ])("%j", (source) => {
    const shape = shapeOfPattern(source);
    const pattern = new RegExp(`^(?:${source})$`, "u");
    const ranges = typeof shape !== "string" && shape.kind === "character" ? shape.ranges : undefined;
    const differ: number[] = [];
    for (let point = 0; point <= 0x3100; point++) {
      const taken = ranges?.some((from, i) => i % 2 === 0 && point >= from && point <= ranges[i + 1]!);
      if (taken !== pattern.test(String.fromCodePoint(point))) differ.push(point);
    }
    expect(differ).toEqual([]);
  });
});

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
