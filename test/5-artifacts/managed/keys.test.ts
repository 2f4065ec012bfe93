import { allHosts } from "../../../compiler/5-artifacts/hosts/all-hosts.ts";
import { fc } from "../../support/generated.ts";
import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { withKeys } from "../../../compiler/5-artifacts/managed/keys.ts";
import { pathOfText, textOfPath } from "../../../compiler/base/path-text.ts";
import type { ManagedKeys } from "../../../compiler/5-artifacts/types.ts";
import type { JsonValue } from "../../../compiler/base/json.ts";
import { inHeader, inJson, key, libraries, listed, nothing, put } from "./keyed-file.ts";

const TOOLS_LISTED = new Set(["tools"]);
const GITHUB_LISTED = new Set(["mcpServers/github"]);
const GITHUB = key("mcpServers/github", { type: "http", url: "https://h" });

describe("keys in JSON", () => {
  test.each<[string, string | undefined, string]>([
    [
      "a new file",
      undefined,
      '{\n  "mcpServers": {\n    "github": {\n      "type": "http",\n      "url": "https://h"\n    }\n  }\n}\n',
    ],
    [
      "tabs, CRLF, comments and a comma at the end",
      '{\r\n\t"mcpServers": {\r\n\t\t"mine": {}, // mine\r\n\t\t// the end\r\n\t},\r\n}',
      '{\r\n\t"mcpServers": {\r\n\t\t"mine": {}, // mine\r\n\t\t"github": {\r\n\t\t\t"type": "http",\r\n\t\t\t"url": "https://h"\r\n\t\t},\r\n\t\t// the end\r\n\t},\r\n}',
    ],
    [
      "one line",
      '{"mcpServers":{"mine":{}}}',
      '{"mcpServers":{"mine":{}, "github": {"type": "http", "url": "https://h"}}}',
    ],
    [
      "one line with an object that we need",
      '{"a":1}',
      '{"a":1, "mcpServers": {"github": {"type": "http", "url": "https://h"}}}',
    ],
    [
      "a comment behind the last key",
      '{\n  "a": 1 // one\n}\n',
      '{\n  "a": 1, // one\n  "mcpServers": {\n    "github": {\n      "type": "http",\n      "url": "https://h"\n    }\n  }\n}\n',
    ],
  ])("are put into %s, and taken out again", (_, text, wanted) => {
    const first = put(text, inJson(GITHUB));
    expect(first.text).toBe(wanted);
    expect(put(first.text, inJson(GITHUB), GITHUB_LISTED).text).toBe(wanted);
    expect(put(first.text, inJson(), GITHUB_LISTED).text).toBe(text);
  });

  test("the order within a value counts, and is kept", () => {
    const first = put(undefined, inJson(key("mcpServers/y", { "*": "deny", x: "allow" })));
    const second = put(first.text, inJson(key("mcpServers/y", { x: "allow", "*": "deny" })), new Set(["mcpServers/y"]));
    expect(second.text).toBe(
      '{\n  "mcpServers": {\n    "y": {\n      "x": "allow",\n      "*": "deny"\n    }\n  }\n}\n',
    );
  });

  test("a value of ours is replaced in its place, in the file's indent", () => {
    const first = put('{\n    "mcpServers": {\n        "mine": {}\n    }\n}', inJson(GITHUB));
    const moved = first.text!.replace('"mine": {},\n        ', "");
    const text = moved.replace("}\n    }\n}", '},\n        "mine": {}\n    }\n}');
    expect(put(text, inJson(key("mcpServers/github", { url: "x" })), GITHUB_LISTED).text).toBe(
      '{\n    "mcpServers": {\n        "github": {\n            "url": "x"\n        },\n        "mine": {}\n    }\n}',
    );
  });

  test("an object that we made goes with our last key, one that somebody filled stays", () => {
    const first = put('{\n  "a": 1\n}\n', inJson(GITHUB));
    const filled = first.text!.replace('"github"', '"mine": 1,\n    "github"');
    expect(put(filled, inJson(), GITHUB_LISTED).text).toBe('{\n  "a": 1,\n  "mcpServers": {\n    "mine": 1\n  }\n}\n');
  });

  test("what stands behind a key of ours doesn't become a part of the comment before it", () => {
    const text = '{"mcpServers":{\n  "a": 1, // c\n  "github": 1, "b": 2\n}}';
    expect(put(text, inJson(), GITHUB_LISTED).text).toBe('{"mcpServers":{\n  "a": 1, // c\n   "b": 2\n}}');
  });

  test.each<[string, string | undefined, string | undefined]>([
    ["a file without text", "", undefined],
    ["an empty object", "{ }\n", undefined],
    ["an empty object in one that isn't", '{"a":1,"mcpServers":{}}', '{"a":1}'],
    ["an object with a comment", "{\n  // mine\n}\n", "{\n  // mine\n}\n"],
  ])("with the last one goes what is left empty: %s", (_, text, left) => {
    expect(put(put(text, inJson(GITHUB)).text, inJson(), GITHUB_LISTED).text).toBe(left);
  });
});

test("markers in comments are no conflict: what stands between them stays", () => {
  const text = '{\n/*\n<<<<<<< a\n*/\n/*\n||||||| o\n*/\n"mine": 1\n/*\n=======\n*/\n/*\n>>>>>>> b\n*/\n}';
  expect(put(text, inJson(key("ours", 2))).text).toContain('"mine": 1');
});

describe("keys in front matter", () => {
  const TOOLS = key("tools", ["Read", "Agent(reader, tester)", "mcp__github__list_issues"]);
  const LINES = "tools:\n  - Read\n  - Agent(reader, tester)\n  - mcp__github__list_issues\n";
  test.each<[string, string | undefined, string]>([
    ["a new file", undefined, `---\n${LINES}---\n`],
    ["a body", "# Tester\n\nTests.", `---\n${LINES}---\n# Tester\n\nTests.`],
    ["CRLF", "---\r\nmodel: opus\r\n---\r\nx", `---\r\nmodel: opus\r\n${LINES.replaceAll("\n", "\r\n")}---\r\nx`],
    [
      "a mark and a comment",
      "\uFEFF---\n# mine\nmodel: 'o' # x\n# end\n---",
      `\uFEFF---\n# mine\nmodel: 'o' # x\n# end\n${LINES}---`,
    ],
    ["a text over lines", "---\nd: |+\n  a\n\n---\n", `---\nd: |+\n  a\n\n${LINES}---\n`],
  ])("are put into %s, and taken out again", (_, text, wanted) => {
    const first = put(text, inHeader(TOOLS));
    expect(first.text).toBe(wanted);
    expect(put(first.text, inHeader(TOOLS), TOOLS_LISTED).text).toBe(wanted);
    expect(put(first.text, inHeader(), TOOLS_LISTED).text).toBe(text);
  });

  test("a file that we made and somebody wrote a body for stays", () => {
    const first = put(undefined, inHeader(TOOLS));
    expect(put(`${first.text}Be kind.\n`, inHeader(), TOOLS_LISTED).text).toBe("Be kind.\n");
  });

  test("in a plain header nothing is loaded to read it", () => {
    const loaded = {
      ...libraries,
      yaml: () => {
        throw new Error("loaded");
      },
    };
    const text = "---\nmodel: opus\n# mine\nmaxTurns: 5\n---\n";
    const first = put(text, inHeader(TOOLS, key("description", "Tests: all")), nothing, loaded);
    const ours = new Set(["tools", "description"]);
    const second = put(first.text, inHeader(key("tools", ["Read"])), ours, loaded);
    expect(put(second.text, inHeader(), ours, loaded).text).toBe(text);
    expect(() => put("---\nmodel: [opus]\n---\n", inHeader(TOOLS), nothing, loaded)).toThrow("loaded");
  });

  test("comments behind a list of ours stay", () => {
    const first = put("---\nmodel: opus\n---\n", inHeader(TOOLS));
    const commented = first.text!.replace(/---\n$/, "  # mine\n---\n");
    expect(put(commented, inHeader(key("tools", [])), TOOLS_LISTED).text).toBe(
      "---\nmodel: opus\ntools: []\n  # mine\n---\n",
    );
  });

  test("what an earlier version wrote so that the header ends early is written anew, and nothing else is told", () => {
    const wanted = inHeader(key("name", "a---b"), key("description", "Decides --- and merges."));
    const before = "---\nname: a---b\ndescription: Decides --- and merges.\nmodel: opus\n---\n";
    const { text, ...told } = put(before, wanted, listed(wanted));
    expect(text).toBe('---\nname: "a--\\u002db"\ndescription: "Decides --\\u002d and merges."\nmodel: opus\n---\n');
    expect(told).toEqual({ replaced: [] });
    expect(put(text, wanted, listed(wanted)).text).toBe(text);
    expect(put(before, inHeader(), listed(wanted)).text).toBe("---\nmodel: opus\n---\n");
  });

  test("any text is read again as it was, whatever it would break out of", () => {
    const hard = [
      "yes",
      "null",
      "1.5",
      "0x1",
      "2020-01-01",
      "a: b",
      "a #b",
      "- x",
      "---\nx: y\n---",
      "a --- b",
      "a---b(-----)",
      "'",
      '"',
      "",
      " a",
      "*a",
      "&a",
      "!t",
      "\u2028",
      "\u{E0041}",
      "\u0085",
      "~",
      "y",
      "on",
      "{",
      "[a]",
      "%",
      "@",
      "a\tb",
      "é 🎉",
      "\\",
    ];
    const values = fc.oneof(fc.constantFrom(...hard), fc.string({ unit: "binary" }), fc.string());
    const value = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        values,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.oneof(fc.constantFrom(...hard), fc.string()), tie("value"), { maxKeys: 3 }),
      ),
    })).value;
    fc.assert(
      fc.property(value, fc.constantFrom("\n", "\r\n"), (wanted, eol) => {
        fc.pre(!JSON.stringify(wanted).includes("__proto__"));
        const { text } = put(`---${eol}a: 1${eol}---${eol}`, inHeader(key("k", wanted)));
        const header = /^---\r?\n([\s\S]*)---\r?\n$/.exec(text!)![1]!;
        expect(header).not.toContain("---");
        expect(JSON.stringify(yaml.parse(header))).toBe(JSON.stringify({ a: 1, k: wanted }));
        expect(put(text, inHeader(key("k", wanted))).text).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

describe("whose key it is", () => {
  const taken = (text: string, keys: ManagedKeys, ours = nothing) =>
    withKeys(text, keys, ours, libraries, allHosts([])).taken?.map((at) => at.join("/"));
  const other = key("mcpServers/github", { url: "other" });

  test("one of the user's is an error, an equal one is taken over", () => {
    const theirs = '{"a":1,"mcpServers":{"github":{"url":"other"}}}';
    expect(taken(theirs, inJson(GITHUB))).toEqual(["mcpServers/github"]);
    expect(put(theirs, inJson(other))).toEqual({ text: theirs, replaced: [] });
    expect(put(theirs, inJson(), listed(inJson(other))).text).toBe('{"a":1}');
  });

  test.each([
    ['{"mcpServers":"none"}', "mcpServers"],
    ['{"mcpServers":{},"mcpServers":{}}', "mcpServers"],
    ['{"mcpServers":{"github":1,"github":2}}', "mcpServers/github"],
  ])("nothing is put into %s", (text, wanted) => expect(taken(text, inJson(GITHUB))).toEqual([wanted]));

  test("one that is listed is ours, whatever it holds: wanted or not, and what it held is told", () => {
    const edited = '{"mcpServers":{"github":{"url":"https://evil"}}}';
    const replaced = [{ at: ["mcpServers", "github"], json: '{"url":"https://evil"}' }];
    expect(put(edited, inJson(other), GITHUB_LISTED)).toEqual({
      text: '{"mcpServers":{"github":{"url": "other"}}}',
      replaced,
    });
    expect(put(edited, inJson(), GITHUB_LISTED)).toEqual({
      text: undefined,
      replaced,
      gone: [["mcpServers", "github"]],
    });
  });

  test("a list that names other keys takes nothing out", () => {
    const mine = '{"hooks":{"a":1},"mcpServers":{"b":1}}';
    expect(put(mine, inJson(), new Set(["hooks", "hooks/a", "__proto__", "", "mcpServers"])).text).toBe(mine);
  });

  test("what would end a line or a column of the list is spelt", () => {
    for (const at of [["mcpServers", "a\tb\nc\r\u2028\0"], ["a/b", "~1~u0041"], []]) {
      const spelt = textOfPath(at);
      expect(spelt).toMatch(/^[^\t\n\r\u2028\0]*$/);
      expect(pathOfText(spelt)).toEqual(at);
    }
  });

  test("a name such as __proto__ is a key like any other", () => {
    const wanted = inJson(key("mcpServers/__proto__", { url: "x" }), key("mcpServers/constructor", 1));
    const { text } = put(undefined, wanted);
    expect(text).toContain('"__proto__": {');
    expect(put(text, wanted).text).toBe(text);
    expect(put(text, inJson(), listed(wanted)).text).toBeUndefined();
  });

  test.each<[string, string, ManagedKeys, string]>([
    ["no value", '{\n  "a": \n}', inJson(GITHUB), "line 3 isn't valid JSON"],
    ["only a comment", "// nothing", inJson(GITHUB), "line 1 isn't valid JSON"],
    ["a list", "[]", inJson(GITHUB), "it holds no object"],
    ["too deep", "[".repeat(100_000), inJson(GITHUB), "line 1 isn't valid JSON"],
    ["no end", "---\na: 1\n", inHeader(GITHUB), "the front matter that begins in line 1 has no second line `---`"],
    ["an open list", "---\na: 1\nb: [\n---\n", inHeader(GITHUB), "line 3 isn't valid YAML"],
    ["a key twice", "---\na: 1\na: 2\n---\n", inHeader(GITHUB), "line 3 isn't valid YAML"],
    [
      "in braces",
      "---\n{ a: 1 }\n---\n",
      inHeader(GITHUB),
      "its front matter isn't a plain list of keys, each at the start of its line",
    ],
    [
      "indented",
      "---\n  a: 1\n---\n",
      inHeader(GITHUB),
      "its front matter isn't a plain list of keys, each at the start of its line",
    ],
    [
      "ended",
      "---\na: 1\n...\n---\n",
      inHeader(GITHUB),
      "its front matter isn't a plain list of keys, each at the start of its line",
    ],
    [
      "an end within",
      "---\na: 1\nb: x # --- y\n---\n",
      inHeader(GITHUB),
      "line 3 holds `---`, where some readers end its front matter",
    ],
    [
      "an end within a text",
      "---\nb: |\n  x\n  ---\n---\n",
      inHeader(GITHUB),
      "line 4 holds `---`, where some readers end its front matter",
    ],
    [
      "an end for some",
      "---\na: 1 # \u2028---\nb: 1\n---\n",
      inHeader(GITHUB),
      "line 2 holds `---`, where some readers end its front matter",
    ],
    [
      "another line end",
      "---\na: 1\nb: x\u2028c\n---\n",
      inHeader(GITHUB),
      "line 3 holds a character that ends a line for some readers",
    ],
    [
      "a carriage return",
      "---\r\nb: x\rc\r\n---\n",
      inHeader(GITHUB),
      "line 2 holds a character that ends a line for some readers",
    ],
    [
      "no keys",
      "---\njust text\n---\n",
      inHeader(GITHUB),
      "its front matter isn't a plain list of keys, each at the start of its line",
    ],
  ])("%s: a file that can't be understood is told", (_, text, keys, problem) => {
    expect(() => put(text, keys)).toThrow(`: ${problem}`);
  });
});
