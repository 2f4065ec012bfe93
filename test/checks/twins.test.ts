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
  [
    "a program that passes on",
    "{ stdio: [npx, mcp-remote, https://x.example.com] }",
    "{ http: https://x.example.com/ }",
  ],
  ["a runner's own words", "{ stdio: [npx, '@acme/db@1.2.0', x] }", "{ stdio: [npx, -y, '@acme/db@1.3.0', x] }"],
])("%s", (_, one, other) => {
  expect(twins(one, other)).toEqual(["policy `p` names `one` and not what reaches the same tools: `other`"]);
});

test.each([
  ["a path", "{ http: https://db.example.com/mcp }", "{ http: https://db.example.com/MCP }"],
  ["a port", "{ http: https://db.example.com/mcp }", "{ http: 'https://db.example.com:8443/mcp' }"],
  ["a query", "{ http: 'https://db.example.com/mcp?a=b' }", "{ http: 'https://db.example.com/mcp?a=c' }"],
  [
    "sign-in",
    "{ stdio: [npx, mcp-remote, https://x.example.com, --header, 'X: ${A}'] }",
    "{ http: https://x.example.com }",
  ],
  ["an argument", "{ stdio: [node, db.mjs] }", "{ stdio: [node, notes.mjs] }"],
])("another %s is another server", (_, one, other) => {
  expect(twins(one, other)).toEqual([]);
});

test.each<[string, string, string[]]>([
  ["by the same policy for the same roles", `  - { name: q, roles: ["*"], tools: [other.drop], effect: ask }`, []],
  ["not by another effect", `  - { name: q, roles: ["*"], tools: [other.drop], effect: deny }`, ["p", "q"]],
  ["not for fewer roles", `  - { name: q, roles: [r], tools: [other.drop], effect: ask }`, ["p", "q"]],
])("the other name is held by a policy of its own: %s", (_, more, expected) => {
  const said = compiled({
    "mcp/team.yaml": `servers:
  one: { connect: [{ stdio: [db] }] }
  other: { connect: [{ stdio: [db] }] }
roles:
  r: { tools: { one: all } }
  s: { tools: { other: all } }
policies:
  - { name: p, roles: ["*"], tools: [one.drop], effect: ask }
${more}
`,
    "mcp/manifests/one.json": manifest("drop"),
    "mcp/manifests/other.json": manifest("drop"),
  }).diagnostics.filter(({ code }) => code === "policy/misses-twin");
  expect(said.map(({ says }) => /policy `(\w)`/.exec(says)?.[1])).toEqual(expected);
});

test.each(["tools: { exclude: [drop] }", "enabled: false"])(
  "a name that has the tool for nobody is no door: %s",
  (less) => {
    const said = compiled({
      "mcp/team.yaml": `servers:
  one: { connect: [{ stdio: [db] }] }
  other: { connect: [{ stdio: [db] }], ${less} }
roles:
  r: { tools: { one: all } }
policies:
  - { name: p, roles: ["*"], tools: [one.drop], effect: ask }
`,
      "mcp/manifests/one.json": manifest("drop"),
      "mcp/manifests/other.json": manifest("drop"),
    }).diagnostics.filter(({ code }) => code === "policy/misses-twin");
    expect(said).toEqual([]);
  },
);

test("thousands of one command are looked at once each, and told in a line", () => {
  const servers = Array.from({ length: 4_000 }, (_, i) => `  s${i}: { connect: [{ stdio: [npx, -y, "x@1.0.0"] }] }`);
  const files = {
    "mcp/team.yaml": `servers:
${servers.join("\n")}
policies:
  - { name: p, roles: ["*"], tools: [s0.drop], effect: ask }
`,
    ...Object.fromEntries(servers.map((_, i) => [`mcp/manifests/s${i}.json`, manifest("drop")])),
  };
  const said = compiled(files).diagnostics.filter(({ code }) => code === "policy/misses-twin");
  expect(said.map(({ says }) => says)).toEqual([
    "policy `p` names `s0` and not what reaches the same tools: `s1`, `s10`, `s100` and 3996 more",
  ]);
});
