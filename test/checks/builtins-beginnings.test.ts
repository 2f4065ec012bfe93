import { expect, test } from "vitest";
import { build } from "../support/built-project.ts";

/** What begins the host's names of a server's tools, and is no tool of its own, would give all of them to some hosts. */
const errorsWith = (builtin: string): readonly string[] =>
  build({
    "rolecall.yaml": "version: 1\nproject: names\nhosts: [claude-code]\n",
    "mcp/team.yaml": `servers: { a__b: { connect: [{ stdio: [s] }] } }\nroles: { x: { tools: { a__b: [a] }, builtins: { claude-code: [{ optional: ${builtin} }] } } }\n`,
    "mcp/manifests/a__b.json": '{"server":"a__b","tools":[{"name":"a","inputSchema":{"type":"object"}}]}',
  }).errors;

test.each(["mcp__a", "mcp__", "mcp__a__b", "mcp__a__b__a"])("`%s` is refused", (name) => {
  expect(errorsWith(name)).toEqual([expect.stringContaining("it would be a tool of `a__b`")]);
});

test.each(["Read", "NewTool", "mcp__other"])("`%s` is taken", (name) => {
  expect(errorsWith(name)).toEqual([]);
});
