import { describe, expect, test } from "vitest";
import { judgeOf } from "../../runtime/conditions.ts";
import { boundedPattern, patternSearch, patternTooCostly } from "../../runtime/pattern-search.ts";
import { fc } from "../support/generated.ts";

/** A stranger's pattern becomes code in one step that no deadline ends. It says the same as it would by itself. */

const spentMs = (work: () => void): number => {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1000;
};

describe("whatever is let through becomes code soon", () => {
  test.each<[string, number]>([
    [String.raw`\b\p{L}`, 7],
    [String.raw`\b\p{L}`, 24],
    [String.raw`(?:\b\p{L}|\B.)`, 20],
    [String.raw`\b.`, 250],
    [String.raw`\b\W`, 250],
    [String.raw`\b[^a]`, 250],
    [String.raw`(?:\b.|\B)`, 166],
    [".{0,3}", 490],
    ["[^a]{0,3}", 450],
    [String.raw`a{0,3}\W*?.*`, 160],
    [String.raw`(?:(?=\p{L}{2}|\B)|[a-z]{0,3}\W*?)`, 15],
  ])("%s, %i times", (part, times) => {
    const pattern = `${part.repeat(times)}z`;
    // Beyond Latin-1 there is code of its own, and a text of one character is soon judged.
    for (const text of ["a", "β"]) {
      expect(spentMs(() => void patternSearch(pattern, "u").test(text))).toBeLessThan(150);
      const rules = [{ argument: "q", conditions: [{ pattern }] }];
      const judge = judgeOf(rules, { schema: { properties: { q: {} } }, satisfies: () => true });
      expect(spentMs(() => void judge({ q: text }, undefined))).toBeLessThan(150);
    }
  });

  test("a thousand boundaries are too many", () => {
    expect(patternTooCostly(String.raw`\b`.repeat(1_000))).toBe("names too many classes of characters");
  });
});

describe("and says the same", () => {
  const part = fc.constantFrom(
    ...String.raw`\b \B \\b [\b] [^\b\]] [\\b] \\ \x62 \cb b a - . \w \W [^a] (?=b) (?!a) (?<=a) (?<!\b) (?:a|\b) (?:\B|b)* (a)? .{0,3} $ ^ |`.split(
      " ",
    ),
    "\b",
  );
  const text = fc.string({ unit: fc.constantFrom("a", "b", "-", "\\", "\b", "\u0002", "é", "😀"), maxLength: 8 });

  test("as the pattern by itself", () => {
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 20 }),
        fc.array(text, { minLength: 20, maxLength: 20 }),
        fc.constantFrom("", "u"),
        (parts, texts, flags) => {
          const source = parts.join("");
          const plain = new RegExp(source, flags);
          const [bounded, searched] = [boundedPattern(source, flags), patternSearch(source, flags)];
          for (const one of texts) {
            const expected = plain.test(one);
            expect([bounded.test(one), searched.test(one)], JSON.stringify([source, one])).toEqual([
              expected,
              expected,
            ]);
          }
        },
      ),
      { numRuns: 600 },
    );
  });
});
