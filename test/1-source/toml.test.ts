import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { createDocumentReader } from "../../compiler/1-source/document/read-document.ts";
import type { JsonValue } from "../../compiler/base/json.ts";
import { createReport } from "../../compiler/diagnostics/report.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";

const reader = createDocumentReader(() => yaml);
const FILE = "config.toml";

function read(text: string): { value: JsonValue | undefined; found: Diagnostic[] } {
  const report = createReport(reader.locator(() => text));
  const value = reader.read(FILE, text, report);
  return { value, found: report.sorted() };
}

describe("values", () => {
  test.each<[title: string, text: string, value: unknown]>([
    ["nothing", "", {}],
    ["comments and empty lines", "# a\n\n \t# b\n", {}],
    ["the last line may lack its end", "a = 1", { a: 1 }],
    ["bare keys of every letter", 'a-b_C1 = 1\n1234 = "x"\n', { "a-b_C1": 1, 1234: "x" }],
    ["quoted keys", '"a b" = 1\n\'c"d\' = 2\n"" = 3\n"é\\n" = 4\n', { "a b": 1, 'c"d': 2, "": 3, "é\n": 4 }],
    ["dotted keys, spaced", 'a . "b.c" .d = 1\na.e = 2\n', { a: { "b.c": { d: 1 }, e: 2 } }],
    ["a number is a key with a dot in it", "3.14 = 1\n", { 3: { 14: 1 } }],
    ["basic text", 'a = "x\\t\\u00e9\\U0001F600\\"\\\\ # no"\n', { a: 'x\té\u{1f600}"\\ # no' }],
    ["literal text", "a = 'C:\\x\\n'\n", { a: "C:\\x\\n" }],
    ["empty texts", "a = \"\"\nb = ''\nc = \"\"\"\"\"\"\nd = ''''''\n", { a: "", b: "", c: "", d: "" }],
    ["text of several lines", 'a = """\none\n  two\\\n   \n   three"""\n', { a: "one\n  twothree" }],
    ["a backslash that ends a line, with blanks behind", 'a = """x \\  \n\n  y"""\n', { a: "x y" }],
    ["quotes before the last quotes", 'a = """"q""""\nb = """""two"""""\n', { a: '"q"', b: '""two""' }],
    ["literal text of several lines", "a = '''\n'x'\\n''y'''\n", { a: "'x'\\n''y" }],
    ["five quotes end a literal text with two", "a = '''x'''''\n", { a: "x''" }],
    ["whole numbers", "a = +99\nb = -17\nc = 0\nd = 1_000\ne = -0\n", { a: 99, b: -17, c: 0, d: 1000, e: 0 }],
    ["other bases", "a = 0xDEAD_beef\nb = 0o755\nc = 0b1101\n", { a: 0xdeadbeef, b: 0o755, c: 13 }],
    [
      "broken numbers",
      "a = 1.5\nb = -0.01\nc = 5e+2\nd = 6.626E-3\ne = 9_2.1_0\n",
      { a: 1.5, b: -0.01, c: 500, d: 0.006626, e: 92.1 },
    ],
    ["true and false", "a = true\nb = false\n", { a: true, b: false }],
    [
      "dates and times are text",
      "a = 1979-05-27T07:32:00Z\nb = 1979-05-27 00:32:00.999-07:00\nc = 1979-05-27\nd = 07:32:00\ne = 2000-02-29t23:59:60\n",
      {
        a: "1979-05-27T07:32:00Z",
        b: "1979-05-27 00:32:00.999-07:00",
        c: "1979-05-27",
        d: "07:32:00",
        e: "2000-02-29t23:59:60",
      },
    ],
    ["a date before a comment", "a = 1979-05-27 # 07:32:00\n", { a: "1979-05-27" }],
    ["lists", 'a = [1, "x", [true], { b = 2 }]\nc = []\n', { a: [1, "x", [true], { b: 2 }], c: [] }],
    ["a list over several lines", "a = [ # c\n 1, # d\n\n 2\n , ]\n", { a: [1, 2] }],
    ["tables in braces", "a = { b = 1, c.d = 2, 'e f' = {} }\n", { a: { b: 1, c: { d: 2 }, "e f": {} } }],
    ["headers", "[a]\nx = 1\n[ b . c ] # d\ny = 2\n[e]\n", { a: { x: 1 }, b: { c: { y: 2 } }, e: {} }],
    ["a header after the one below it", "[a.b]\nx = 1\n[a]\ny = 2\n", { a: { b: { x: 1 }, y: 2 } }],
    ["a header below a dotted table", "[a]\nb.c = 1\n[a.b.d]\ne = 2\n", { a: { b: { c: 1, d: { e: 2 } } } }],
    [
      "lists of tables",
      "[[a]]\nx = 1\n[[a.b]]\ny = 2\n[[a.b]]\n[a.c]\nz = 3\n[[a]]\n",
      { a: [{ x: 1, b: [{ y: 2 }, {}], c: { z: 3 } }, {}] },
    ],
    [
      "names of objects' own",
      "constructor = 1\n[toString]\nvalueOf = 2\n",
      { constructor: 1, toString: { valueOf: 2 } },
    ],
  ])("%s", (_, text, value) => {
    expect(read(text)).toEqual({ value, found: [] });
    expect(read(`\ufeff${text.replaceAll("\n", "\r\n")}`).value).toEqual(value);
  });
});

describe("what is no TOML, at its place", () => {
  test.each<[text: string, expected: string]>([
    ["a\n", "source/toml 1:1+1"],
    ["a =\n", "source/toml 1:4+1"],
    ["= 1\n", "source/toml 1:1+1"],
    ["a = 1 b = 2\n", "source/toml 1:7+5"],
    ["a = 1\n\nb : 2\n", "source/toml 3:1+5"],
    ["é = 1\n", "source/toml 1:1+1"],
    ["a..b = 1\n", "source/toml 1:3+1"],
    ['"""a""" = 1\n', "source/toml 1:1+3"],
    ['a = "x\n', "source/toml 1:5+2"],
    ["a = 'x\ny'\n", "source/toml 1:5+2"],
    ['a = """x\n', "source/toml 1:5+4"],
    ['a = """""""""\n', "source/toml 1:13+1"],
    ['a = "\\x41"\n', "source/toml 1:6+2"],
    ['a = "\\ud800"\n', "source/toml 1:6+6"],
    ['a = "\\u12"\n', "source/toml 1:6+5"],
    ['a = "\\U00110000"\n', "source/toml 1:6+10"],
    ["a = yes\n", "source/toml 1:5+3"],
    ["a = True\n", "source/toml 1:5+4"],
    ["a = 01\n", "source/toml 1:5+2"],
    ["a = -01\n", "source/toml 1:5+3"],
    ["a = 1__0\n", "source/toml 1:5+4"],
    ["a = _1\n", "source/toml 1:5+2"],
    ["a = 1_\n", "source/toml 1:5+2"],
    ["a = .5\n", "source/toml 1:5+2"],
    ["a = 1.\n", "source/toml 1:5+2"],
    ["a = 1.e5\n", "source/toml 1:5+4"],
    ["a = 0xg\n", "source/toml 1:5+3"],
    ["a = +0x1\n", "source/toml 1:5+4"],
    ["a = 0X1\n", "source/toml 1:5+3"],
    ["a = 1979-13-01\n", "source/toml 1:5+10"],
    ["a = 2001-02-29\n", "source/toml 1:5+10"],
    ["a = 1979-05-00\n", "source/toml 1:5+10"],
    ["a = 1979-05-27T24:00:00\n", "source/toml 1:5+19"],
    ["a = 1979-05-27T07:60:00\n", "source/toml 1:5+19"],
    ["a = 1979-05-27T07:32:61\n", "source/toml 1:5+19"],
    ["a = 1979-05-27T07:32:00+24:00\n", "source/toml 1:5+25"],
    ["a = 1979-05-27T07:32\n", "source/toml 1:5+16"],
    ["a = 1979-5-27\n", "source/toml 1:5+9"],
    ["a = 07:32\n", "source/toml 1:5+5"],
    ["a = 07:32:00Z\n", "source/toml 1:5+9"],
    ["a = inf\n", "source/number 1:5+3"],
    ["a = -nan\n", "source/number 1:5+4"],
    ["a = 9007199254740993\n", "source/number 1:5+16"],
    ["a = 0xFFFFFFFFFFFFFFFF\n", "source/number 1:5+18"],
    ["a = [1 2]\n", "source/toml 1:8+2"],
    ["a = [1,,2]\n", "source/toml 1:8+1"],
    ["a = [1\n", "source/toml 1:5+2"],
    ["a = { b = 1, }\n", "source/toml 1:14+1"],
    ["a = { b = 1\n}\n", "source/toml 1:12+1"],
    ["a = {\n}\n", "source/toml 1:5+1"],
    ["a = { b = 1 c = 2 }\n", "source/toml 1:13+7"],
    ["[a\n", "source/toml 1:1+2"],
    ["[]\n", "source/toml 1:2+1"],
    ["[a] b = 1\n", "source/toml 1:5+5"],
    ["[ [a]]\n", "source/toml 1:3+1"],
    ["[[a] ]\n", "source/toml 1:1+6"],
    ["[[a]\n", "source/toml 1:1+4"],
    ["a = 1\na = 2\n", "source/duplicate-key 2:1+1"],
    ["a = 1\n'a' = 2\n", "source/duplicate-key 2:1+3"],
    ["a.b = 1\na.b = 2\n", "source/duplicate-key 2:3+1"],
    ["a = { b = 1, b = 2 }\n", "source/duplicate-key 1:14+1"],
    ["[a]\n[a]\n", "source/duplicate-key 2:2+1"],
    ["[a]\nb = 1\n[a.b]\n", "source/duplicate-key 3:4+1"],
    ["[a]\nb.c = 1\n[a.b]\n", "source/duplicate-key 3:4+1"],
    ["[a]\n[[a]]\n", "source/duplicate-key 2:3+1"],
    ["[[a]]\n[a]\n", "source/duplicate-key 2:2+1"],
    ["a = []\n[[a]]\n", "source/duplicate-key 2:3+1"],
    ["[a.b]\n[a]\nb = 1\n", "source/duplicate-key 3:1+1"],
    ["[a.b]\n[[a]]\n", "source/duplicate-key 2:3+1"],
    ["a = 1\na.b = 2\n", "source/toml 2:1+1"],
    ["a = 1\n[a.b]\n", "source/toml 2:2+1"],
    ["a = { b = 1 }\na.c = 2\n", "source/toml 2:1+1"],
    ["a = { b.c = 1 }\n[a.b.d]\n", "source/toml 2:2+1"],
    ["a = [{ b = 1 }]\n[a.c]\n", "source/toml 2:2+1"],
    ["[a.b]\nx = 1\n[a]\nb.y = 2\n", "source/toml 4:1+1"],
    ["[a.b.c]\nx = 1\n[a]\nb.c.y = 2\n", "source/toml 4:1+1"],
    ["__proto__ = 1\n", "source/yaml-feature 1:1+9"],
    ["[a.'__proto__']\n", "source/yaml-feature 1:4+11"],
    ['a = { "__proto__" = 1 }\n', "source/yaml-feature 1:7+11"],
    ['a = "x\u0001"\n', "source/character 1:7+1"],
    ["a = 1\rb = 2\n", "source/character 1:6+1"],
    ["<<<<<<< ours\na = 1\n=======\na = 2\n>>>>>>> theirs\n", "source/conflict-markers 1:1+12"],
    [`a = ${"[".repeat(100)}\n`, "source/too-large 1:104+1"],
    [`a = ${"{ b = ".repeat(100)}\n`, "source/too-large 1:599+1"],
    [`${"a.".repeat(100)}b = 1\n`, "source/too-large 1:205+1"],
    [`[${"a.".repeat(100)}b]\n`, "source/too-large 1:204+1"],
  ])("%j", (text, expected) => {
    const { value, found } = read(text);
    expect(value).toBeUndefined();
    expect(found.map(({ code, at }) => `${code} ${at?.line}:${at?.column}+${at?.length}`)).toEqual([expected]);
  });

  test("99 levels below the document are read", () => {
    expect(read(`a = ${"[".repeat(99)}${"]".repeat(99)}\n`).found).toEqual([]);
    expect(read(`${"a.".repeat(99)}b = ${"[".repeat(1)}]\n`).found).toHaveLength(1);
  });

  test("megabytes take no time worth naming, and no stack", () => {
    const long = "x".repeat(3_000_000);
    expect((read(`a = "${long}"\n`).value as { a: string }).a).toHaveLength(long.length);
    expect((read(`a = """${"x\n".repeat(1_000_000)}"""\n`).value as { a: string }).a).toHaveLength(2_000_000);
    expect(read(`a = ${"1".repeat(3_000_000)}\n`).found.map(({ code }) => code)).toEqual(["source/toml"]);
    expect(read(`a = '''${"'".repeat(3_000_000)}\n`).found.map(({ code }) => code)).toEqual(["source/toml"]);
    expect(read(`a = [${"1,".repeat(300_000)}]\n`).found).toEqual([]);
  });
});
