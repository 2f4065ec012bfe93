import { fc } from "../../support/generated.ts";
import { describe, expect, test } from "vitest";
import {
  code,
  doc,
  indentation,
  join,
  key,
  name,
  nothing,
  typeScriptFile,
  type Slot,
} from "../../../compiler/5-artifacts/typescript/writer.ts";

const rtl = "\u202e";

describe("slots are data", () => {
  test.each<[string, Slot, string]>([
    ["text", "a", '"a"'],
    ["a quote", 'a"b', "'a\"b'"],
    ["both quotes", `"'`, `"\\"'"`],
    ["a backslash", "\\", '"\\\\"'],
    ["a backslash before a quote", '\\"', "'\\\\\"'"],
    ["a back-tick and a slot", "`${1}`", '"`${1}`"'],
    ["a line break and a tab", "\n\t\r", '"\\n\\t\\r"'],
    ["line separators", "\u2028\u2029", '"\\u2028\\u2029"'],
    ["a right-to-left override", rtl, '"\\u202e"'],
    ["zero width", "\u200b\ufeff\u2060", '"\\u200b\\ufeff\\u2060"'],
    ["controls", "\u0000\u001b\u0085", '"\\u0000\\u001b\\u0085"'],
    ["half a pair", "\ud800", '"\\ud800"'],
    ["a tag", "\u{e0041}", '"\\udb40\\udc41"'],
    ["letters of all scripts", "é漢🙂", '"é漢🙂"'],
    ["a number", -1.5, "-1.5"],
    ["minus zero", -0, "0"],
    ["true", true, "true"],
    ["null", null, "null"],
  ])("%s", (_, slot, text) => {
    expect(code`${slot}`.text).toBe(text);
  });

  test("code stays code, also in a list", () => {
    expect(code`a(${[code`1`, code`2`]}, ${code`b`})`.text).toBe("a(12, b)");
  });

  test("an object that only looks like code isn't", () => {
    expect(() => code`${{ text: "process.exit()" } as unknown as Slot}`).toThrow("plain data");
  });

  test("any text comes back, whatever it holds, and shows no hidden character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const printed = code`${text}`.text;
        expect(evaluate(printed)).toBe(text);
        expect(printed).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
      { numRuns: 1_000, examples: [["\ud800"], ["\udc00\ud800"], ['\\"\\'], ["\u2028'\""]] },
    );
  });
});

describe("names and keys", () => {
  test.each(["", "a-b", "1a", "a b", "a;b", "é", "a\n"])("%j is no identifier", (text) => {
    expect(() => name(text)).toThrow("not an identifier");
  });
  test.each([
    ["a", "a"],
    ["$and", "$and"],
    ["class", "class"],
    ["__proto__", '"__proto__"'],
    ["", '""'],
    ["10", '"10"'],
    ["a-b", '"a-b"'],
    ["é", '"é"'],
    [`a${rtl}`, '"a\\u202e"'],
  ])("key %j", (text, printed) => {
    expect(key(text).text).toBe(printed);
  });
});

describe("doc comments", () => {
  const said = (text: string): string => doc(text, indentation(1)).text;

  test.each([
    ["one line", "It reads.", "  /** It reads. */\n"],
    ["lines", "One\r\nTwo\n\n\nThree\rFour", "  /**\n   * One\n   * Two\n   *\n   *\n   * Three\n   * Four\n   */\n"],
    ["nothing", " \n ", ""],
    ["an end of comment", "src/**/*.ts */ evil()", "  /** src/**\\/*.ts *\\/ evil() */\n"],
    ["a star at the end", "any *", "  /** any * */\n"],
    ["a slash at the start", "/ root", "  /** / root */\n"],
    ["a compiler's directive", "@ts-expect-error", "  /** \\@ts-expect-error */\n"],
    [
      "tags",
      "a @deprecated {@link x} b\n@internal",
      "  /**\n   * a \\@deprecated {\\@link x} b\n   * \\@internal\n   */\n",
    ],
    ["an address stays", "mail me@example.com", "  /** mail me@example.com */\n"],
    [
      "a source map",
      "//# sourceMappingURL=https://example.com/x",
      "  /** //\\# sourceMappingURL=https://example.com/x */\n",
    ],
    ["hidden characters", `a${rtl}b\u2028c`, "  /** a\\u202eb\\u2028c */\n"],
    ["a tab", "a\tb", "  /** a  b */\n"],
  ])("%s", (_, text, printed) => {
    expect(said(text)).toBe(printed);
  });

  test("tags of ours", () => {
    expect(doc("How many", indentation(0), { default: '"*/ @x"', deprecated: true }).text).toBe(
      '/**\n * How many\n * @default "*\\/ \\@x"\n * @deprecated\n */\n',
    );
    expect(doc(undefined, indentation(0), { deprecated: true }).text).toBe("/** @deprecated */\n");
  });

  test("10,000 characters are kept, more are cut, never through a pair", () => {
    expect(said("x".repeat(10_000))).toContain(` ${"x".repeat(10_000)} `);
    expect(said("x".repeat(10_001))).toContain("(and 1 characters more)");
    expect(said(`${"x".repeat(9_999)}🙂`)).toContain(`${"x".repeat(9_999)}\n`);
  });

  test("no text ends its comment", () => {
    const part = fc.constantFrom("*", "/", "*/", "\n", "\r", "\u2028", "\\", "@", " ", "ts-ignore", "a");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const printed = said(parts.join(""));
        expect(printed === "" || printed.indexOf("*/") === printed.length - 3).toBe(true);
        expect(printed).not.toMatch(/(?:^|[\s*/])@/);
      }),
      { numRuns: 1_000 },
    );
  });
});

test("pieces are joined", () => {
  expect(join([code`a`, code`b`], code` | `).text).toBe("a | b");
  expect(join([], code`, `).text).toBe(nothing.text);
});

test("a file begins with the header", () => {
  expect(typeScriptFile(code`export {};\n`)).toBe(
    `// Generated by rolecall. Don't edit: change the sources and run \`rolecall build\`.
/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// biome-ignore-all assist: generated
export {};
`,
  );
});

function evaluate(expression: string): unknown {
  return new Function(`return ${expression};`)();
}
