import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { allHosts } from "../compiler/4-artifacts/hosts.ts";
import { withKeys } from "../compiler/4-artifacts/managed-keys.ts";
import { formatAt, mayHaveBeenOurs } from "../compiler/4-artifacts/managed-keys/places.ts";
import type { ManagedKeys } from "../compiler/4-artifacts/types.ts";
import type { JsonValue } from "../compiler/base/json.ts";
import { memoryFiles } from "../compiler/1-source/memory-files.ts";
import { compile } from "../compiler/compile.ts";
import { lazyLibraries } from "../compiler/io/libraries.ts";
import { readResources } from "../compiler/io/resources.ts";
import { manifest } from "./support/compiled.ts";
import { inHeader, inJson, key, libraries, nothing, put } from "./support/keyed-file.ts";

const GITHUB = key("mcpServers/github", { type: "http", url: "https://h" });

describe("keys in JSON", () => {
  test.each<[string, string | undefined, string]>([
    [
      "a new file",
      undefined,
      '{\n  "mcpServers": {\n    "github": {\n      "type": "http",\n      "url": "https://h"\n    }\n  }\n}\n',
    ],
    [
      "a file without text",
      "",
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
      "one line with an empty object",
      '{"mcpServers":{}}',
      '{"mcpServers":{"github": {"type": "http", "url": "https://h"}}}',
    ],
    [
      "a comment behind the last key",
      '{\n  "a": 1 // one\n}\n',
      '{\n  "a": 1, // one\n  "mcpServers": {\n    "github": {\n      "type": "http",\n      "url": "https://h"\n    }\n  }\n}\n',
    ],
  ])("are put into %s, and taken out again", (_, text, wanted) => {
    const first = put(text, inJson(GITHUB));
    expect(first.text).toBe(wanted);
    expect(put(first.text, inJson(GITHUB), first.owned).text).toBe(wanted);
    expect(put(first.text, inJson(), first.owned).text).toBe(text);
  });

  test("the order within a value counts, and is kept", () => {
    const first = put(undefined, inJson(key("mcpServers", { "*": "deny", x: "allow" })));
    const second = put(first.text, inJson(key("mcpServers", { x: "allow", "*": "deny" })), first.owned);
    expect(second.text).toBe('{\n  "mcpServers": {\n    "x": "allow",\n    "*": "deny"\n  }\n}\n');
  });

  test("a value of ours is replaced in its place, in the file's indent", () => {
    const first = put('{\n    "mcpServers": {\n        "mine": {}\n    }\n}', inJson(GITHUB));
    const moved = first.text!.replace('"mine": {},\n        ', "");
    const text = moved.replace("}\n    }\n}", '},\n        "mine": {}\n    }\n}');
    expect(put(text, inJson(key("mcpServers/github", { url: "x" })), first.owned).text).toBe(
      '{\n    "mcpServers": {\n        "github": {\n            "url": "x"\n        },\n        "mine": {}\n    }\n}',
    );
  });

  test("an object that we made goes with our last key, one that somebody filled stays", () => {
    const first = put('{\n  "a": 1\n}\n', inJson(GITHUB));
    const filled = first.text!.replace('"github"', '"mine": 1,\n    "github"');
    expect(put(filled, inJson(), first.owned).text).toBe('{\n  "a": 1,\n  "mcpServers": {\n    "mine": 1\n  }\n}\n');
  });

  test("what stands behind a key of ours doesn't become a part of the comment before it", () => {
    const text = '{\n  "a": 1, // c\n  "mcpServers": 1, "b": 2\n}';
    const { owned } = put(text, inJson(key("mcpServers", 1)));
    expect(put(text, inJson(), owned).text).toBe('{\n  "a": 1, // c\n   "b": 2\n}');
  });

  test("an object whose keys of ours somebody took out is theirs", () => {
    const first = put(undefined, inJson(GITHUB));
    const again = put("{}", inJson(GITHUB), first.owned);
    expect(put(again.text, inJson(), again.owned).text).toBe("{}");
  });
});

describe("keys in front matter", () => {
  const TOOLS = key("tools", ["Read", "Agent(reader, tester)", "mcp__github__list_issues"]);
  const LINES = "tools:\n  - Read\n  - Agent(reader, tester)\n  - mcp__github__list_issues\n";
  test.each<[string, string | undefined, string]>([
    ["a new file", undefined, `---\n${LINES}---\n`],
    ["a file without text", "", `---\n${LINES}---\n`],
    ["a body", "# Tester\n\nTests.", `---\n${LINES}---\n# Tester\n\nTests.`],
    ["CRLF", "---\r\nmodel: opus\r\n---\r\nx", `---\r\nmodel: opus\r\n${LINES.replaceAll("\n", "\r\n")}---\r\nx`],
    ["an empty header", "---\n---\nx", `---\n${LINES}---\nx`],
    [
      "a mark and a comment",
      "\uFEFF---\n# mine\nmodel: 'o' # x\n# end\n---",
      `\uFEFF---\n# mine\nmodel: 'o' # x\n# end\n${LINES}---`,
    ],
    ["a text over lines", "---\nd: |+\n  a\n\n---\n", `---\nd: |+\n  a\n\n${LINES}---\n`],
  ])("are put into %s, and taken out again", (_, text, wanted) => {
    const first = put(text, inHeader(TOOLS));
    expect(first.text).toBe(wanted);
    expect(put(first.text, inHeader(TOOLS), first.owned).text).toBe(wanted);
    expect(put(first.text, inHeader(), first.owned).text).toBe(text);
  });

  test("a file that we made and somebody wrote a body for stays", () => {
    const first = put(undefined, inHeader(TOOLS));
    expect(put(`${first.text}Be kind.\n`, inHeader(), first.owned).text).toBe("Be kind.\n");
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
    const second = put(first.text, inHeader(key("tools", ["Read"])), first.owned, loaded);
    expect(put(second.text, inHeader(), second.owned, loaded).text).toBe(text);
    expect(() => put("---\nmodel: [opus]\n---\n", inHeader(TOOLS), nothing, loaded)).toThrow("loaded");
  });

  test("comments behind a list of ours stay", () => {
    const first = put("---\nmodel: opus\n---\n", inHeader(TOOLS));
    const commented = first.text!.replace(/---\n$/, "  # mine\n---\n");
    expect(put(commented, inHeader(key("tools", [])), first.owned).text).toBe(
      "---\nmodel: opus\ntools: []\n  # mine\n---\n",
    );
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
        const { text, owned } = put(`---${eol}a: 1${eol}---${eol}`, inHeader(key("k", wanted)));
        const header = /^---\r?\n([\s\S]*?)---\r?\n$/.exec(text!)![1]!;
        expect(JSON.stringify(yaml.parse(header))).toBe(JSON.stringify({ a: 1, k: wanted }));
        expect(put(text, inHeader(key("k", wanted)), owned).text).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

describe("whose key it is", () => {
  const conflicts = (text: string, keys: ManagedKeys, owned = nothing) =>
    withKeys(text, keys, owned, libraries).conflicts?.map(({ at, kind }) => `${kind} ${at.join("/")}`);
  const other = key("mcpServers/github", { url: "other" });

  test("one of the user's is an error, an equal one is taken over", () => {
    const theirs = '{"mcpServers":{"github":{"url":"other"}}}';
    expect(conflicts(theirs, inJson(GITHUB))).toEqual(["taken mcpServers/github"]);
    const { text, owned } = put(theirs, inJson(other));
    expect(text).toBe(theirs);
    expect(put(text, inJson(), owned).text).toBe('{"mcpServers":{}}');
  });

  test.each([
    ['{"mcpServers":"none"}', "taken mcpServers"],
    ['{"mcpServers":{},"mcpServers":{}}', "taken mcpServers"],
    ['{"mcpServers":{"github":1,"github":2}}', "taken mcpServers/github"],
  ])("nothing is put into %s", (text, wanted) => expect(conflicts(text, inJson(GITHUB))).toEqual([wanted]));

  test("one that somebody edited is an error, wanted or not", () => {
    const { text, owned } = put("{}", inJson(GITHUB));
    const edited = text!.replace("https://h", "https://evil");
    expect(conflicts(edited, inJson(GITHUB), owned)).toEqual(["edited mcpServers/github"]);
    expect(conflicts(edited, inJson(), owned)).toEqual(["stale mcpServers/github"]);
    expect(put(edited.replace("https://evil", "https://h"), inJson(other), owned).text).toContain("other");
  });

  test("what somebody turned into what is wanted is no error", () => {
    const { owned } = put("{}", inJson(GITHUB));
    expect(put('{"mcpServers":{"github":{"url":"other"}}}', inJson(other), owned).text).toContain("other");
  });

  test("a list that names other keys takes nothing out", () => {
    const mine = '{"hooks":{"a":1},"mcpServers":{}}';
    const digest = put("{}", inJson(key("hooks", { a: 1 }))).owned.keys.get("hooks")!;
    const keys = new Map([
      ["hooks", digest],
      ["hooks/a", digest],
      ["__proto__", digest],
    ]);
    expect(put(mine, inJson(), { keys, before: new Map([["", null]]) }).text).toBe(mine);
  });

  test("a name such as __proto__ is a key like any other", () => {
    const wanted = inJson(key("mcpServers/__proto__", { url: "x" }), key("mcpServers/constructor", 1));
    const { text, owned } = put(undefined, wanted);
    expect(text).toContain('"__proto__": {');
    expect(put(text, wanted, owned).text).toBe(text);
    expect(put(text, inJson(), owned).text).toBeUndefined();
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
      "no keys",
      "---\njust text\n---\n",
      inHeader(GITHUB),
      "its front matter isn't a plain list of keys, each at the start of its line",
    ],
  ])("%s: a file that can't be understood is told", (_, text, keys, problem) => {
    expect(withKeys(text, keys, nothing, libraries).problem).toBe(problem);
  });
});

test("every key that a host keeps in a user's file is one that may be taken out again", () => {
  const hosts = allHosts(readResources().hosts);
  const project = {
    version: 1,
    project: "harbor",
    hosts: hosts.map(({ id }) => ({
      id,
      ...(id === "cursor" && { role: "reader" }),
      ...(id === "opencode" && { into: "opencode.json" }),
    })),
    servers: { github: { connect: [{ http: "https://github.example.com/mcp" }] } },
    roles: {
      reader: { tools: { github: "all" }, delegates: ["tester"], prompt: "reader.md" },
      tester: { tools: { github: ["get_issue"] } },
    },
  };
  const files = {
    "rolecall.yaml": JSON.stringify(project),
    "mcp/manifests/github.json": manifest("list_issues", "get_issue"),
    "reader.md": "Read.",
  };
  const { artifacts } = compile(memoryFiles(files), hosts, lazyLibraries());
  const keyed = [...artifacts].filter((artifact): artifact is ManagedKeys => "keys" in artifact);
  expect(keyed.length).toBeGreaterThan(0);
  for (const { path, format, keys } of keyed) {
    expect(formatAt(path), path).toBe(format);
    expect(
      keys.filter(({ at }) => !mayHaveBeenOurs(path, at)).map(({ at }) => at.join(".")),
      path,
    ).toEqual([]);
  }
});
