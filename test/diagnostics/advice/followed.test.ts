import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { compiled, manifest } from "../../support/compiled.ts";

/** Advice that is followed must lead somewhere: what it says to write is read, and means what was meant. */
const told = (files: Readonly<Record<string, string>>) =>
  compiled(files).diagnostics.map(({ code, says, help }) => ({ code, says, help }));

describe("a command in one text", () => {
  const stdio = (command: string) => told({ "mcp/a.yaml": `servers: { s: { connect: [{ stdio: ${command} }] } }` });

  test.each([
    ["npx -y foo", "[npx, -y, foo]"],
    ["npx -y @acme/foo@1.2.0", '[npx, -y, "@acme/foo@1.2.0"]'],
    ["srv --name 'a b' ${X:-c d} 1", '[srv, --name, "a b", "${X:-c d}", "1"]'],
  ])("%s is taken apart", (command, list) => {
    expect(stdio(JSON.stringify(command))[0]).toMatchObject({
      code: "source/wrong-shape",
      help: `write \`stdio: ${list}\``,
    });
    expect(stdio(list).map(({ code }) => code)).not.toContain("source/wrong-shape");
    const inOne = stdio(`[${JSON.stringify(command)}]`).find(({ code }) => code === "server/command-in-one");
    expect(inOne?.help).toBe(`write \`${list}\`, each word an item`);
  });

  test.each(['["C:\\\\Program Files\\\\srv.exe"]', '["/opt/My Server/run"]', '["${SRV:-a b}"]', "[srv, a b]"])(
    "%s may be one program",
    (command) => expect(stdio(command).map(({ code }) => code)).not.toContain("server/command-in-one"),
  );
});

describe("policies", () => {
  const policy = (rest: string) =>
    told({
      "mcp/manifests/s.json": manifest("merge_all", "merge_pr", "list"),
      "mcp/a.yaml":
        "servers: { s: { connect: [{ stdio: [srv] }] } }\n" +
        `roles: { allied: { tools: { s: all } } }\npolicies: [{ name: p, effect: deny, ${rest} }]\n`,
    })[0];

  test.each([
    ['roles: ["*"], tools: ["*.mrge_*"]', "did you mean `*.merge*`?"],
    ['roles: ["*"], tools: ["s.mrge_*"]', "did you mean `s.merge*`?"],
    ['roles: ["*"], tools: ["*.mrge_all & is:destructive"]', "did you mean `*.merge_all & is:destructive`?"],
    ['roles: ["*"], tools: [all]', "write `*.*`"],
    ['roles: ["*"], tools: ["*"]', "write `*.*`"],
    ["roles: all, tools: [s.list]", 'write `roles: ["*"]`'],
    ["roles: [all], tools: [s.list]", 'write `"*"`'],
    ["roles: [alied], tools: [s.list]", "did you mean `allied`?"],
  ])("%s", (rest, help) => expect(policy(rest)?.help).toBe(help));
});

describe("values", () => {
  const project = (rest: string) => told({ "rolecall.yaml": rest, "mcp/a.yaml": "{}\n" })[0];
  const server = (rest: string) =>
    told({ "mcp/a.yaml": `servers: { s: { ${rest}, connect: [{ stdio: [srv] }] } }` })[0];

  test("a number in quotes", () =>
    expect(project('version: "1"\nproject: p\n')).toMatchObject({
      says: '`version` takes `1`, and the text `"1"` is written',
      help: "write `version: 1`",
    }));

  test("a path", () =>
    expect(project("version: 1\nproject: p\nenvExample: true\n")?.help).toBe(
      "write the path of the file, such as .env.example",
    ));

  test.each([
    ["yes", "write `true`"],
    ["off", "write `false`"],
    ['"true"', "write `true`"],
    ["maybe", undefined],
  ])("mustConnect: %s", (value, help) => expect(server(`mustConnect: ${value}`)?.help).toBe(help));

  test("no time at all", () =>
    expect(server("cache: 0s")?.says).toBe(
      "`0s` is not a duration of more than 0: a whole number and `ms`, `s` or `m`",
    ));

  test("a schema of results says nothing about arguments", () => {
    const tools = [{ name: "t", inputSchema: { type: "object" }, outputSchema: "no" }];
    const found = told({
      "mcp/manifests/s.json": JSON.stringify({ tools }),
      "mcp/a.yaml": "servers: { s: { connect: [{ stdio: [srv] }] } }",
    });
    expect(found.find(({ code }) => code === "manifest/odd-schema")?.help).toBe(
      "the tool can be held, but its results are untyped",
    );
  });
});

test("a file in place of the project's folder is one mistake", async () => {
  const home = mkdtempSync(path.join(tmpdir(), "rolecall-advice-"));
  try {
    mkdirSync(path.join(home, "p"));
    const file = path.join(home, "p", "rolecall.yaml");
    writeFileSync(file, "version: 1\nproject: p\n");
    const { diagnostics } = await engine.build(file, { check: false, cache: true });
    expect(diagnostics.map(({ code }) => code)).toEqual(["source/no-project"]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
