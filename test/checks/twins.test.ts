import { expect, test } from "vitest";
import { compiled, manifest } from "../support/compiled.ts";

/** Two servers are one where their addresses are, however these are spelled. */

function twins(one: string, other: string): string[] {
  return compiled({
    "mcp/team.yaml": `servers:
  one: { connect: [${one}] }
  other: { connect: [${other}] }
roles:
  r: { tools: { one: all, other: all } }
policies:
  - { name: p, roles: ["*"], tools: [one.drop], effect: ask }
`,
    "mcp/manifests/one.json": manifest("drop"),
    "mcp/manifests/other.json": manifest("drop"),
  })
    .diagnostics.filter(({ code }) => code === "policy/misses-twin")
    .map(({ says }) => says);
}

test.each([
  ["the case of a host", "{ http: https://db.example.com/mcp }", "{ http: https://DB.Example.com/mcp }"],
  ["a default port", "{ http: https://db.example.com/mcp }", "{ http: 'https://db.example.com:443/mcp' }"],
  ["a slash at the end", "{ http: https://db.example.com/mcp }", "{ http: https://db.example.com/mcp/ }"],
  ["the root", "{ http: https://db.example.com }", "{ http: https://db.example.com/ }"],
  [
    "a slash before a query",
    "{ http: 'https://db.example.com/mcp?a=b' }",
    "{ http: 'https://db.example.com/mcp/?a=b' }",
  ],
  ["a reference", "{ http: 'https://db.example.com/${TEAM}' }", "{ http: 'https://DB.example.com/${TEAM}/' }"],
  ["the other transport", "{ http: https://db.example.com/mcp }", "{ sse: https://db.example.com/mcp/ }"],
  ["the way to a command", "{ stdio: [node, db.mjs] }", "{ stdio: [/usr/bin/node, ./db.mjs] }"],
  ["a command on Windows", "{ stdio: [db-server, x] }", "{ stdio: [db-server.exe, x] }"],
  ["a runner's own words", "{ stdio: [npx, '@acme/db@1.2.0', x] }", "{ stdio: [npx, -y, '@acme/db@1.3.0', x] }"],
])("%s", (_, one, other) => {
  expect(twins(one, other)).toEqual(["policy `p` names `one` and not `other`, which reaches the same tools"]);
});

test.each([
  ["a path", "{ http: https://db.example.com/mcp }", "{ http: https://db.example.com/MCP }"],
  ["a port", "{ http: https://db.example.com/mcp }", "{ http: 'https://db.example.com:8443/mcp' }"],
  ["a query", "{ http: 'https://db.example.com/mcp?a=b' }", "{ http: 'https://db.example.com/mcp?a=c' }"],
  ["an argument", "{ stdio: [node, db.mjs] }", "{ stdio: [node, notes.mjs] }"],
])("another %s is another server", (_, one, other) => {
  expect(twins(one, other)).toEqual([]);
});
