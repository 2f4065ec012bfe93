import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { readFastJson } from "../../compiler/1-source/document/fast-json.ts";
import { createDocumentReader } from "../../compiler/1-source/document/read-document.ts";
import type { JsonValue } from "../../compiler/base/json.ts";
import type { Located, Place } from "../../compiler/base/place.ts";
import { createReport } from "../../compiler/diagnostics/report.ts";
import type { Diagnostic } from "../../compiler/diagnostics/types.ts";

const reader = createDocumentReader(() => yaml);

function read(text: string, file = "mcp/roles.yaml"): { value: JsonValue | undefined; found: Diagnostic[] } {
  const report = createReport(reader.locator(() => text));
  const value = reader.read(file, text, report);
  return { value, found: report.sorted() };
}

/** `code line:column+length help` of the only diagnostic. */
function slip(text: string, file?: string): string {
  const { value, found } = read(text, file);
  expect(value).toBeUndefined();
  expect(found).toHaveLength(1);
  const { code, at, help } = found[0]!;
  return `${code} ${at?.line}:${at?.column}+${at?.length} ${help}`;
}

describe("values", () => {
  test.each<[title: string, text: string, value: unknown]>([
    ["an empty document", "", {}],
    ["comments alone", "# nothing\n\n", {}],
    ["a marker alone", "---\n", {}],
    ["an explicit null", "null\n", null],
    [
      "maps, lists, flow",
      "a:\n  - b: [x, 1]\n    c: { d: e }\n  -\nf: ~\n",
      { a: [{ b: ["x", 1], c: { d: "e" } }, null], f: null },
    ],
    ["a list as far left as its key", "a:\n- b\nc: d\n", { a: ["b"], c: "d" }],
    ["the core schema", "[yes, NO, 017, 0x1F, 1.50, 2001-01-01, True]", ["yes", "NO", 17, 31, 1.5, "2001-01-01", true]],
    ["block scalars", "a: |\n  x\n  y\nb: >-\n  x\n  y\n", { a: "x\ny\n", b: "x y" }],
    ["text of several lines", "a: x\n  y\n", { a: "x y" }],
    ["an anchor and its alias", "a: &x [1, 2]\nb: *x\n", { a: [1, 2], b: [1, 2] }],
    [
      "keys of every kind of text",
      '"1": a\n"": b\n"null": c\nconstructor: d\n',
      { "1": "a", "": "b", null: "c", constructor: "d" },
    ],
    ["an escape that makes a pair", 'a: "\\ud83d\\ude00"\n', { a: "\u{1f600}" }],
  ])("%s", (_, text, value) => {
    expect(read(text)).toEqual({ value, found: [] });
  });

  test.each(["a: 1\nb:\n  - x\n", "a: |\n  x\n\n  y\nb: 'x\n\n  y'\n", 'a: "x\n  y"\n'])(
    "CRLF and a byte order mark change nothing: %j",
    (text) => {
      const plain = read(text);
      expect(plain.found).toEqual([]);
      expect(read(text.replaceAll("\n", "\r\n"))).toEqual(plain);
      expect(read(`\ufeff${text}`)).toEqual(plain);
    },
  );

  test("-0 is 0", () => {
    expect(Object.is((read("a: -0\n").value as { a: number }).a, 0)).toBe(true);
  });
});

describe("what is no part of the language", () => {
  test.each<[text: string, expected: string]>([
    ["a: 1\n---\nb: 2\n", "source/yaml-feature 2:1+3 remove the `---` or `...`, or write two files"],
    ["%YAML 1.2\n---\na: 1\n", "source/yaml-feature 1:1+9 remove the line; a value that begins with `%` needs quotes"],
    ["a: !color red\n", "source/yaml-feature 1:4+6 remove the tag; text that begins with `!` needs quotes"],
    ["a: !!binary aGk=\n", "source/yaml-feature 1:4+8 remove the tag; text that begins with `!` needs quotes"],
    ["a: !!str 1\n", "source/yaml-feature 1:4+5 remove the tag; text that begins with `!` needs quotes"],
    ["a: !!map {}\n", "source/yaml-feature 1:4+5 remove the tag; text that begins with `!` needs quotes"],
    ["a: !!int x\n", "source/yaml-feature 1:4+5 remove the tag; text that begins with `!` needs quotes"],
    [
      "a:\n  <<: { b: 1 }\n",
      "source/yaml-feature 2:3+2 write the entries out; in roles, `extends` says what is shared",
    ],
    ["a:\n  1: b\n", 'source/yaml-feature 2:3+1 quote it: `"1"`'],
    ["true: b\n", 'source/yaml-feature 1:1+4 quote it: `"true"`'],
    ["null: b\n", 'source/yaml-feature 1:1+4 quote it: `"null"`'],
    ["1.5: b\n", 'source/yaml-feature 1:1+3 quote it: `"1.5"`'],
    [": b\n", "source/yaml-feature 1:1+1 write the key before the colon"],
    ["[a]: b\n", "source/yaml-feature 1:1+3 quote the key if it is text"],
    ["a: &k x\n*k : b\n", "source/yaml-feature 2:1+2 write the key out, or quote it if it is text"],
    ["a:\n  __proto__: b\n", "source/yaml-feature 2:3+9 use another name"],
    ['a: { "__proto__": b }\n', "source/yaml-feature 1:6+11 use another name"],
    ["a: 12345678901234567890\n", "source/number 1:4+20 quote it if it is an id; a number keeps about 15 digits"],
    ["a: 0.12345678901234567891\n", "source/number 1:4+22 quote it if it is an id; a number keeps about 15 digits"],
    ["a: 1e400\n", "source/number 1:4+5 quote it if it is an id; a number keeps about 15 digits"],
    ["a: .inf\n", "source/number 1:4+4 quote it if it is text; JSON has no such number"],
    [
      "a: x\rb: y\n",
      "source/character 1:5+1 remove it; in double quotes it can be written as an escape, such as `\\t` or `\\u2028`",
    ],
    [
      "a: \0\n",
      "source/character 1:4+1 remove it; in double quotes it can be written as an escape, such as `\\t` or `\\u2028`",
    ],
    [
      "a: b\nc: \u2028\n",
      "source/character 2:4+1 remove it; in double quotes it can be written as an escape, such as `\\t` or `\\u2028`",
    ],
    ['a: "\\ud800"\n', "source/yaml 1:4+8 write the character itself"],
  ])("%j", (text, expected) => {
    expect(slip(text)).toBe(expected);
  });

  test("a key that is written twice shows both places", () => {
    const { found } = read("roles:\n  a: 1\n  b: 2\n  a: 3\n");
    expect(found.map((d) => [d.code, d.at?.line, d.at?.column, d.also.map((a) => [a.says, a.at?.line])])).toEqual([
      ["source/duplicate-key", 4, 3, [["first written here", 2]]],
    ]);
  });

  test("all of them are told in one run", () => {
    expect(read("1: a\nb: !c d\ne: .nan\ne: 2\n").found.map((d) => `${d.code} ${d.at?.line}`)).toEqual([
      "source/yaml-feature 1",
      "source/yaml-feature 2",
      "source/number 3",
      "source/duplicate-key 4",
    ]);
  });
});

describe("slips get the right spelling", () => {
  test.each<[text: string, expected: string]>([
    ["include: [*]\n", 'source/yaml 1:11+1 quote it: `"*"`'],
    ["include: *\n", 'source/yaml 1:10+1 write `["*"]`'],
    ["- *foo\n", 'source/yaml 1:3+4 if it is text, quote it: `"*foo"`'],
    ["exclude: *_delete\n", 'source/yaml 1:10+8 if it is text, quote it: `["*_delete"]`'],
    ["a: [b, *.delete_*]\n", 'source/yaml 1:8+10 if it is text, quote it: `"*.delete_*"`'],
    ["a: *issue* & is:read-only\n", 'source/yaml 1:4+22 if it is text, quote it: `"*issue* & is:read-only"`'],
    ["env: { A: ${X} }\n", 'source/yaml 1:11+4 quote it: `"${X}"`'],
    ["env: { A: b, C: Bearer ${X:-${Y}}, D: e }\n", 'source/yaml 1:17+17 quote it: `"Bearer ${X:-${Y}}"`'],
    ["args: [a, ${X}]\n", 'source/yaml 1:11+4 quote it: `"${X}"`'],
    ["a: Reads: issues # all\n", 'source/yaml 1:4+13 quote the text: `"Reads: issues"`'],
    ['a: Says: "hi"\n', `source/yaml 1:4+10 quote the text: \`'Says: "hi"'\``],
    ["a:\n\tb: 1\n", "source/yaml 2:1+1 indent with spaces"],
    ["a:\n  b: 1\n  \tc: 2\n", "source/yaml 3:3+1 indent with spaces"],
    ["owner: @acme/data\n", 'source/yaml 1:8+10 quote it: `"@acme/data"`'],
    ["a: [b, @c]\n", 'source/yaml 1:8+2 quote it: `"@c"`'],
    ["a: `b`\n", 'source/yaml 1:4+3 quote it: "`b`"'],
    [
      'a:\n  b: "x\nc: d\n',
      'source/yaml 2:6+1 put a " at the end of the text; one that is part of the text needs the other kind of quotes around it',
    ],
    [
      "a: 'x\n",
      "source/yaml 1:4+1 put a ' at the end of the text; one that is part of the text needs the other kind of quotes around it",
    ],
    [
      'a: "x\\"',
      'source/yaml 1:4+1 put a " at the end of the text; one that is part of the text needs the other kind of quotes around it',
    ],
    ["a: 'it's'\n", "source/yaml 1:8+1 put the quotes around all of it; inside single quotes a `'` is written `''`"],
    [
      "a: [b, c\nd: e\n",
      "source/yaml 1:4+1 close it with `]`; lines inside the brackets are indented further than the key",
    ],
    ["a: { b: c\n", "source/yaml 1:4+1 close it with `}`; lines inside the brackets are indented further than the key"],
    ["a: [b }\n", "source/yaml 1:7+1 write `]`"],
    ["a: ]\n", "source/yaml 1:4+1 remove it, or put the text in quotes"],
    ["a: [b: c: d]\n", 'source/yaml 1:8+4 write a comma between two entries, or quote the text: `"c: d"`'],
    ["version: 1\nproject:harbor\n", "source/yaml 2:1+14 write `project: harbor`"],
    ["project:harbor\nversion: 1\n", "source/yaml 1:1+14 write `project: harbor`"],
    ["a:\n  b: 1\n c: 2\n", "source/yaml 3:2+1 indent the line like the entries that it belongs to"],
    ["a:\n  - b\n - c\n", "source/yaml 3:2+1 indent the line like the entries that it belongs to"],
    ["a: b\n  c: d\n", "source/yaml 2:3+4 indent it like the key above, or remove the value above"],
    ["a: - b\n", "source/yaml 1:4+1 put `- ` on the next line, or write `[a, b]`"],
    ["a: b\n- c\n", "source/yaml 2:1+3 put the list below a key of its own"],
    ["- a\nb: c\n", "source/yaml 2:1+4 begin it with `- `, or indent it like what it belongs to"],
    ['a: "\\d+"\n', "source/yaml 1:5+2 write `\\\\d`, or use single quotes: nothing is escaped inside them"],
    ["a: |x\n  y\n", "source/yaml 1:5+1 begin the text on the next line, indented; or quote it"],
    ["a: &x [*x]\n", "source/yaml 1:8+2 write what is meant"],
  ])("%j", (text, expected) => {
    expect(slip(text)).toBe(expected);
    // The same place with another kind of line ends.
    expect(slip(`\ufeff${text.replaceAll("\n", "\r\n")}`)).toBe(expected);
  });

  test("slips that don't follow from each other are told together", () => {
    expect(read("a: @b\nc: @d\n").found.map((d) => d.at?.line)).toEqual([1, 2]);
  });
});

describe("JSON", () => {
  test.each<[text: string, value: unknown]>([
    ["", {}],
    [
      '{\n\t"a": [1, -2.5, true, null],\n\t"b": {"a": "x\\u0041\\/"}\n}\n',
      { a: [1, -2.5, true, null], b: { a: "xA/" } },
    ],
    ['{"a:b": "c:\\"d:"}', { "a:b": 'c:"d:' }],
    ['{"a": 1E2, "b": -0}', { a: 100, b: 0 }],
  ])("%j", (text, value) => {
    expect(read(text, "a.json")).toEqual({ value, found: [] });
  });

  test.each<[text: string, expected: string]>([
    ['{"a": 1,\n "a": 2}', "source/duplicate-key 2:2+3 put both together under one `a`"],
    ['{"a": {"\\u0061": 1, "a": 2}}', "source/duplicate-key 1:21+3 put both together under one `a`"],
    ['{"__proto__": 1}', "source/yaml-feature 1:2+11 use another name"],
    ['{"a": 12345678901234567890}', "source/number 1:7+20 quote it if it is an id; a number keeps about 15 digits"],
    ['{"a": 1,}', "source/json 1:9+1 remove the comma"],
    ['{"a": 1 "b": 2}', "source/json 1:9+1 write a comma between two entries"],
    ['{\n  "a": 1, // one\n}', "source/json 2:11+1 remove the comment, or name the file .yaml and begin it with `#`"],
    ["{a: 1}", 'source/json 1:2+1 write `"a"`'],
    ["{'a': 1}", 'source/json 1:2+1 write double quotes: `"`'],
    ['{"a": yes}', 'source/json 1:7+3 write `"yes"` if it is text'],
    ['{"a": "x}\n', 'source/json 1:7+1 close it with `"` on the same line'],
    ['{"a": [1', "source/json 1:9+1 `,` or `]` is missing"],
    ['{"a": 1} x', "source/json 1:10+1 one file holds one value"],
    ["a: 1\n", 'source/json 1:1+1 write `"a"` if it is text'],
  ])("%j", (text, expected) => {
    expect(slip(text, "a.json")).toBe(expected);
  });

  test("equal keys and numbers that do not survive are never trusted to JSON.parse", () => {
    for (const text of [
      '{"a":1,"a":1}',
      '[{"a":{"b":1,"b":2}}]',
      "[1e400]",
      "[9007199254740993]",
      "[-0]",
      '{"<<":1}',
      '"\\ud800"',
    ]) {
      expect(readFastJson(text)).toBeUndefined();
    }
    expect(readFastJson('{"a":{"a":"\\\\"},"b":[{"a":":"}]}')).toEqual({ value: { a: { a: "\\" }, b: [{ a: ":" }] } });
  });
});

describe("bounds", () => {
  const many = 100_000;
  const bomb = Array.from(
    { length: 30 },
    (_, i) =>
      `a${i}: &a${i} [${Array(9)
        .fill(i === 0 ? "x" : `*a${i - 1}`)
        .join(", ")}]\n`,
  ).join("");
  test.each<[title: string, text: string, file?: string]>([
    ["[", "[".repeat(many)],
    ["[ ]", "[".repeat(many) + "]".repeat(many)],
    ["{a:", "{a: ".repeat(many)],
    ["-", `${"- ".repeat(many)}a`],
    ["?", `${"? ".repeat(many)}a`],
    ["block maps", Array.from({ length: 2_000 }, (_, i) => `${" ".repeat(i)}a:\n`).join("")],
    ["JSON lists", "[".repeat(many) + "]".repeat(many), "a.json"],
    ["JSON maps", `${'{"a":'.repeat(many)}1${"}".repeat(many)}`, "a.json"],
    ["an alias bomb", bomb],
    ["8 MB", "a".repeat(8_000_001)],
  ])("%s", (_, text, file) => {
    const before = performance.now();
    const { value, found } = read(text, file);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(value).toBeUndefined();
    expect(found.map((d) => d.code)).toEqual(["source/too-large"]);
  });

  test.each<[fits: string, tooDeep: string]>([
    ["[".repeat(100) + "]".repeat(100), "[".repeat(101) + "]".repeat(101)],
    [`${"- ".repeat(100)}a`, `${"- ".repeat(101)}a`],
    [
      `a: &a ${"[".repeat(60)}${"]".repeat(60)}\nb: ${"[".repeat(39)}*a${"]".repeat(39)}\n`,
      `a: &a ${"[".repeat(60)}${"]".repeat(60)}\nb: ${"[".repeat(40)}*a${"]".repeat(40)}\n`,
    ],
  ])("100 levels fit, 101 don't", (fits, tooDeep) => {
    expect(read(fits).found).toEqual([]);
    expect(slip(tooDeep)).toMatch(/^source\/too-large /);
  });

  const some = 30_000;
  test.each<[title: string, text: string]>([
    ["an unclosed quote", `a: "${"x\\n".repeat(700_000)}`],
    ["commas", `a: [${",".repeat(some)}]`],
    ["anchors", `a: ${"&a ".repeat(some)}`],
    ["tabs", `a:\n${"\tb: 1\n".repeat(some)}`],
    ["tags", "- !a b\n".repeat(some)],
    ["equal keys", "a: 1\n".repeat(some)],
    ["zeros", `a: 1${"0".repeat(1_000_000)}1\n`],
  ])("no text takes long: %s", (_, text) => {
    const before = performance.now();
    const { value, found } = read(text);
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(value).toBeUndefined();
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(20);
  });

  test("a plain document never loads the `yaml` package", () => {
    const bare = createDocumentReader(() => expect.unreachable());
    const report = createReport(() => undefined);
    expect(bare.read("a.yaml", "a:\n  - b: [c, 'd']\n", report)).toEqual({ a: [{ b: ["c", "d"] }] });
    expect(bare.read("a.json", '{"a": 1}', report)).toEqual({ a: 1 });
  });
});

describe("places", () => {
  const text =
    "roles:\n  reader: # all\n    tools:\n      github: [a, bcd]\n      empty:\n  b: &b\n    c: d\n  e: *b\n";
  const at = (place: Omit<Place, "file">, of = text): string | undefined =>
    show(reader.locator(() => of)({ file: "a.yaml", ...place }));
  const show = (span: Located | undefined): string | undefined => span && `${span.line}:${span.column}+${span.length}`;

  test.each<[path: Place["path"], value: string, key: string]>([
    [["roles", "reader", "tools", "github", 1], "4:19+3", "4:19+3"],
    [["roles", "reader", "tools", "github"], "4:15+8", "4:7+6"],
    [["roles", "reader"], "3:5+6", "2:3+6"],
    [["roles", "reader", "tools", "empty"], "5:7+5", "5:7+5"],
    [["roles", "reader", "tools", "github", 7], "4:15+8", "4:15+8"],
    [["roles", "reader", "tools", "github", 1, "x"], "4:19+3", "4:19+3"],
    [["roles", "writer", "tools"], "2:3+13", "2:3+13"],
    [["roles", "e", "c"], "7:8+1", "7:5+1"],
    [["roles", "e"], "8:6+2", "8:3+1"],
    [[], "1:1+6", "1:1+6"],
  ])("%j", (path, value, key) => {
    expect(at({ path })).toBe(value);
    expect(at({ path, at: "key" })).toBe(key);
    expect(at({ path }, `\ufeff${text.replaceAll("\n", "\r\n")}`)).toBe(value);
  });

  test("in JSON, in broken documents, in unknown files", () => {
    expect(at({ path: ["a", 1, "b"] }, '{\n "a": [1,\n  {"b": "c"}]}')).toBe("3:9+3");
    expect(at({ path: ["a", "b"] }, "a:\n  b: c\nd: @e\nf\n")).toBe("2:6+1");
    expect(at({ path: ["a", "b"] }, "[".repeat(1_000))).toBe("1:1+1");
    expect(reader.locator(() => undefined)({ file: "x", path: [] })).toBeUndefined();
  });

  test("the line is whole, however long, and has the one above it", () => {
    const locate = reader.locator(() => `a: b # c\r\nd: ${"x".repeat(10_000)}\n`);
    expect(locate({ file: "a", path: ["a"] })?.text).toBe("a: b # c");
    expect(locate({ file: "a", path: ["d"] })?.text).toHaveLength(10_003);
    expect(locate({ file: "a", path: ["d"] })?.above).toBe("a: b # c");
  });

  test("a document is parsed once, and only for a place with a path", () => {
    let loads = 0;
    const locate = createDocumentReader(() => (loads++, yaml)).locator(() => text);
    locate({ file: "a", path: [], range: [0, 1] });
    expect(loads).toBe(0);
    locate({ file: "a", path: ["roles"] });
    locate({ file: "a", path: ["roles", "b"] });
    expect(loads).toBe(1);
  });
});
