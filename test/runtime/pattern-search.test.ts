import { describe, expect, test } from "vitest";
import { judgeOf } from "../../runtime/conditions.ts";
import { boundedPattern, patternSearch, patternTooCostly } from "../../runtime/pattern-search.ts";
import { fc } from "../support/generated.ts";

/** A stranger's pattern becomes code in one step that no deadline ends. It says the same as it would by itself. */

/** No app may stand still for longer than 200 ms. */
const spentMs = (work: () => void): number => {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user / 1000;
};

describe("whatever is let through becomes code soon", () => {
  test.each<[string, number]>([
    [String.raw`\b\p{L}`, 7],
    [String.raw`\b\p{L}`, 23],
    [String.raw`(?:\b\p{L}|\B.)`, 4],
    [String.raw`\b.`, 150],
    [String.raw`\b\W`, 150],
    [String.raw`\b[^a]`, 150],
    [String.raw`(?:\B.|\B\w)`, 14],
    [String.raw`(?:\B.|\B\w|\B.|\b\w|\B.)`, 6],
    [String.raw`(?:(?!a).|(?!b).)`, 80],
    ["(?:.|.)", 200],
    [".{0,3}", 25],
    ["(?:a?|b?)", 8],
    [String.raw`\b`, 14],
  ])("%s, %i times", (part, times) => {
    const pattern = `${part.repeat(times)}z`;
    expect(patternTooCostly(pattern)).toBe(undefined);
    // Beyond Latin-1 there is code of its own, and a text of one character is soon judged.
    for (const text of ["a", "β"]) {
      expect(spentMs(() => void patternSearch(pattern, "u").test(text))).toBeLessThan(200);
      const rules = [{ argument: "q", conditions: [{ pattern }] }];
      const judge = judgeOf(rules, { schema: { properties: { q: {} } }, satisfies: () => true });
      expect(spentMs(() => void judge({ q: text }, undefined))).toBeLessThan(200);
    }
  });

  // Each keeps one of Node 20 to 26 busy for seconds, and forever with a few more.
  test.each<[string, number]>([
    ["(?:a?|b?)", 26],
    [String.raw`(?:\b.|\B)`, 26],
    ["(?:(?=a)|(?!b))", 26],
    ["(?:|a|)", 26],
    [String.raw`\b`, 26],
    ["(?:^|$|c)", 26],
    [".{0,3}", 490],
    ["(?:[ab]{2}(?:(?=a)|(?!a))a?)", 140],
    [
      String.raw`[^]*?(?:\B.|\B\w|\B.|\b\w|\B.)(?:\B.|\B\w|\B.|\b\w|\B.)(?:\B.|\B\w|\B.|\b\w|\B.)(?:\B.|\B\w|\B.|\b\w|\B.)`,
      1,
    ],
    ["(".repeat(300) + "a" + ")".repeat(300), 1],
  ])("%s, %i times, isn't let through", (part, times) => {
    for (const pattern of [`${part.repeat(times)}z`, `^${part.repeat(times)}$`, `${part.repeat(times)}zzzz`])
      expect(patternTooCostly(pattern)).toBe("has too many choices in a row");
  });

  const codes = `(?:${Array.from({ length: 250 }, (_, at) => String.fromCharCode(97 + (at % 26), 97 + at / 26)).join("|")})`;
  test.each([
    [String.raw`^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,}$`],
    [
      String.raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-z-][\da-z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-z-][\da-z-]*))*))?$`,
    ],
    [String.raw`^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$`],
    [String.raw`^P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$`],
    [String.raw`^\d{4}(?:-?\d{2})?(?:-?\d{2})?[T ]?(\d{2})?:?(\d{2})?:?(\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$`],
    [String.raw`^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$`],
    [`^${codes}-${codes}$`],
    ["^[^]*?-->[^]*$"],
  ])("an honest one is: %s", (pattern) => {
    expect(patternTooCostly(pattern)).toBe(undefined);
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
