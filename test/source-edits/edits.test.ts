import { describe, expect, test } from "vitest";
import * as yaml from "yaml";
import { editSource } from "../../compiler/source-edits/edit-source.ts";
import type { SourceEdit } from "../../compiler/source-edits/types.ts";

function edited(text: string, ...edits: SourceEdit[]): string {
  const { text: after, problem } = editSource("mcp/a.yaml", text, edits, yaml);
  return after ?? `problem: ${problem}`;
}

const GITHUB = { kind: "add", path: ["servers", "github"], value: { preset: "github" } } as const;
const GRANT = { kind: "add", path: ["roles", "tester", "tools", "github"], value: "read-only" } as const;

describe("what is added looks like the rest of it", () => {
  test.each<[string, string, SourceEdit, string]>([
    ["an empty file", "", GITHUB, "servers:\n  github: { preset: github }\n"],
    ["comments alone", "# ours\n", GITHUB, "# ours\nservers:\n  github: { preset: github }\n"],
    [
      "beside others",
      "servers:\n  a: { preset: a } # why\n\nroles: {}\n",
      GITHUB,
      "servers:\n  a: { preset: a } # why\n  github: { preset: github }\n\nroles: {}\n",
    ],
    [
      "four spaces",
      "servers:\n    a: { preset: a }\n",
      GITHUB,
      "servers:\n    a: { preset: a }\n    github: { preset: github }\n",
    ],
    [
      "below a key without anything",
      "servers: # none yet\nroles: {}\n",
      GITHUB,
      "servers: # none yet\n  github: { preset: github }\nroles: {}\n",
    ],
    ["a new block", "version: 1\n", GITHUB, "version: 1\n\nservers:\n  github: { preset: github }\n"],
    [
      "a flow map",
      "servers: { a: { preset: a } }\n",
      GITHUB,
      "servers: { a: { preset: a }, github: { preset: github } }\n",
    ],
    ["an empty flow map", "servers: {}\n", GITHUB, "servers: { github: { preset: github } }\n"],
    [
      "a flow map on lines",
      "servers: {\n  a: 1, # one\n  b: 2 # two\n}\n",
      GITHUB,
      "servers: {\n  a: 1, # one\n  b: 2, # two\n  github: { preset: github }\n}\n",
    ],
    [
      "a comma at the end",
      "servers: {\n  a: 1, # one\n}\n",
      GITHUB,
      "servers: {\n  a: 1, # one\n  github: { preset: github },\n}\n",
    ],
    [
      "a role with tools",
      "roles:\n  tester:\n    tools:\n      files: all # for now\n    # builtins: none\n    owner: me\n",
      GRANT,
      "roles:\n  tester:\n    tools:\n      files: all # for now\n      github: read-only\n    # builtins: none\n    owner: me\n",
    ],
    [
      "a role without",
      "roles:\n  tester:\n    description: Tests.\n",
      GRANT,
      "roles:\n  tester:\n    description: Tests.\n    tools:\n      github: read-only\n",
    ],
    [
      "a role on one line",
      "roles: { tester: { extends: a } }",
      GRANT,
      "roles: { tester: { extends: a, tools: { github: read-only } } }",
    ],
    [
      "after text that keeps its end",
      "servers:\n  a:\n    whenDown: |\n      Go on.\n\n# end\n",
      GITHUB,
      "servers:\n  a:\n    whenDown: |\n      Go on.\n  github: { preset: github }\n\n# end\n",
    ],
    [
      "an item",
      "a:\n- x # one\nb: 1\n",
      { kind: "append", path: ["a"], value: "label:y" },
      "a:\n- x # one\n- label:y\nb: 1\n",
    ],
    [
      "an item of a flow list",
      "a: [x, y]\n",
      { kind: "append", path: ["a"], value: "is:read-only" },
      "a: [x, y, is:read-only]\n",
    ],
  ])("%s", (_, text, edit, after) => {
    expect(edited(text, edit)).toBe(after);
    expect(edited(text.replaceAll("\n", "\r\n"), edit)).toBe(
      after.replaceAll("\n", text.includes("\n") ? "\r\n" : "\n"),
    );
  });
});

describe("what is removed leaves the rest", () => {
  test.each<[string, string, (string | number)[], string]>([
    ["an entry", "a: 1\n# of b\nb: 2 # two\nc: 3\n", ["b"], "a: 1\n# of b\nc: 3\n"],
    ["an entry of several lines", "a:\n  b: 1\n  c:\n    - x\n    - y\n  d: 2\n", ["a", "c"], "a:\n  b: 1\n  d: 2\n"],
    ["an item", "a:\n  - x\n  - y # why\n  - z\n", ["a", 1], "a:\n  - x\n  - z\n"],
    ["of a flow list", "a: [x, y, z] # all\n", ["a", 1], "a: [x, z] # all\n"],
    ["the last of a flow list", "a: [x, y]\n", ["a", 1], "a: [x]\n"],
    [
      "behind whom a comment has a comma",
      "a: [\n  x # by ada, in May\n  , y # two, too\n]\n",
      ["a", 1],
      "a: [\n  x # by ada, in May\n    # two, too\n]\n",
    ],
    ["on lines with comments", "a: [\n  x, # one\n  y # two\n]\n", ["a", 1], "a: [\n  x # one\n   # two\n]\n"],
    ["a quoted key", 'a: { "b:c": 1, d: 2 }\n', ["a", "b:c"], "a: { d: 2 }\n"],
    ["the only entry", "a:\n  b: 1 # one\nc: 2\n", ["a", "b"], "a:\n   {} # one\nc: 2\n"],
    ["the first beside a dash", "a:\n  - b: 1\n    c: 2\n", ["a", 0, "b"], "a:\n  - c: 2\n"],
  ])("%s", (_, text, path, after) => {
    expect(edited(text, { kind: "remove", path })).toBe(after);
  });
});

test("a value gives way to another, and its comment stays", () => {
  const text = "server:\n  limits: { timeout: 10s } # slow\n  scopes:\n    # of reading\n    read: [a]\n";
  expect(edited(text, { kind: "replace", path: ["server", "limits", "timeout"], value: "30s" })).toBe(
    text.replace("10s", '"30s"'),
  );
  expect(edited(text, { kind: "replace", path: ["server", "scopes", "read"], value: ["a", "b"] })).toBe(
    text.replace("[a]", "[a, b]"),
  );
});

test("JSON stays JSON, tabs and all", () => {
  const text = '{\n\t"servers": {\n\t\t"a": { "preset": "a" }\n\t}\n}\n';
  expect(editSource("mcp/a.json", text, [GITHUB], yaml).text).toBe(
    '{\n\t"servers": {\n\t\t"a": { "preset": "a" },\n\t\t"github": { "preset": "github" }\n\t}\n}\n',
  );
});

describe("what it can't do it doesn't", () => {
  test.each<[string, string, SourceEdit, string]>([
    ["an anchor on the way", "servers: &all\n  a: 1\nx: *all\n", GITHUB, "shared"],
    ["an alias", "x: &all { a: 1 }\nservers: *all\n", GITHUB, "shared"],
    ["an anchor in what goes", "a: { b: &x 1 }\nc: *x\n", { kind: "remove", path: ["a"] }, "unsafe"],
    ["a key that is there", "servers: { github: {} }\n", GITHUB, "taken"],
    ["no map", "servers: [a]\n", GITHUB, "no-map"],
    ["no list", "a: { b: 1 }\n", { kind: "append", path: ["a"], value: 1 }, "no-list"],
    ["nothing there", "a: { b: 1 }\n", { kind: "remove", path: ["a", "c"] }, "missing"],
    ["not YAML", "a: [\n", GITHUB, "unreadable"],
    ["a key that is there twice", "a: 1\na: 2\n", GITHUB, "unreadable"],
  ])("%s", (_, text, edit, problem) => {
    expect(edited(text, edit)).toBe(`problem: ${problem}`);
  });

  test("and of several edits it does all or none", () => {
    expect(edited("servers: { a: 1 }\n", GITHUB, GITHUB)).toBe("problem: taken");
  });
});

test("comments between items are read in linear time", () => {
  const text = `a: [\n  x, # one\n  y\n${`  # ${"c".repeat(57)}\n`.repeat(2000)}]\n`;
  const began = process.cpuUsage();
  expect(edited(text, { kind: "remove", path: ["a", 1] })).toContain("x # one");
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000);
});
