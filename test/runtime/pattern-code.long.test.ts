import { expect, test } from "vitest";
import { patternSearch, patternTooCostly } from "../../runtime/pattern-search.ts";
import { createTimeLimit } from "../../runtime/session/time-limit.ts";
import { fc } from "../support/generated.ts";

/** No deadline ends the step in which a pattern becomes code: what may be one becomes it soon, on whatever version of Node. */

const limit = createTimeLimit();

const atom = fc.constantFrom(
  ...String.raw`a b . \w \d [^a] [a-z] \b \B ^ $ (?=a) (?!b) (?<=a) (?<!b) a? b* \w*? a{0,3} [ab]{2} ab \p{L} (?=ab?) (?:a|) x{1,3} (?:ab|cd) \w+ a{0,2}? (?:a?b?)* (a) [^]*?`.split(
    " ",
  ),
  "",
);
const { group } = fc.letrec<{ group: string }>((tie) => {
  const times = fc.constantFrom("", "", "", "?", "*", "{0,3}", "{2}", "{1,2}");
  const part = fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    atom,
    fc.tuple(tie("group"), times).map(([body, often]) => body + often),
  );
  const option = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
  return { group: fc.array(option, { minLength: 1, maxLength: 3 }).map((options) => `(?:${options.join("|")})`) };
});
/** Of which many in a row take longest. */
const mayBeEmpty = fc
  .array(fc.constantFrom(...String.raw`a? b* (?=a) (?!b) (?<=a) \b \B ^ $ a{0,3} \w*?`.split(" "), ""), {
    minLength: 2,
    maxLength: 4,
  })
  .map((options) => `(?:${options.join("|")})`);
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "^"),
    fc.oneof(group, mayBeEmpty),
    fc.constantFrom(1, 2, 3, 5, 8, 12, 20, 30, 60, 150, 400),
    fc.constantFrom("z", "zzzz", "$", "", "a*z"),
  )
  .map(
    ([head, body, times, tail]) =>
      head + body.repeat(Math.max(1, Math.min(times, Math.floor(4_000 / body.length)))) + tail,
  );

test("a pattern that is let through becomes code within half a second, whatever it is", () => {
  let taken = 0;
  fc.assert(
    fc.property(pattern, (source) => {
      if (patternTooCostly(source) !== undefined) return;
      taken++;
      // Of a long text, or at the second, other code is made.
      for (const text of ["β", "q", "ab".repeat(700)]) {
        const search = patternSearch(source, "u");
        const began = process.cpuUsage();
        limit(() => search.test(text) && search.test(text));
        expect(process.cpuUsage(began).user / 1000).toBeLessThan(500);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(taken).toBeGreaterThan(150);
});
