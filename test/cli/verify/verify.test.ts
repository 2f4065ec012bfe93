import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { manifest } from "../../support/compiled.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** With the real git: several questions in one run, their proofs, and what each exit code means. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const roles = (reader: string): string => `roles:
  reader: { tools: { files: ${reader} } }
  writer: { tools: { files: [read, write] } }
`;

let project: GitProject;
beforeEach(() => {
  const dir = temporaryFolder();
  folders.push(dir);
  project = openGitProject(dir);
  project.git("init", "-q", "-b", "main");
  project.write({
    "rolecall.yaml": "version: 1\nproject: harbor\n",
    "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [node, files.mjs] }] }\n",
    "mcp/manifests/files.json": manifest({ name: "read", arguments: ["path"] }, { name: "write", arguments: ["path"] }),
    "mcp/roles.yaml": roles("[read]"),
  });
  project.commit("one");
});

const verify = (...args: string[]) => run(["verify", ...args], project.dir);

test("all are answered, and what doesn't hold has the rule and a call", async () => {
  project.write({ "mcp/roles.yaml": roles("[read, write]") });
  const { exit, printed } = await verify(
    "--no-new-access",
    "HEAD",
    "--not-granted",
    "files.write",
    "--role",
    "reader",
    "--compare",
    "writer",
    "reader",
  );
  expect(printed).toBe(`doesn't hold: access is no wider than at HEAD
  reader: files.write
      by \`write\` at mcp/roles.yaml:2
      passes: write {}

doesn't hold: reader: not granted \`files.write\`
  reader: files.write
      by \`write\` at mcp/roles.yaml:2
      passes: write {}

holds: writer has at most what reader has
  reader has nothing beyond writer

1 of 3 hold, 2 don't
`);
  expect(exit).toBe(2);
});

describe("the exit code", () => {
  test.each<[string, number, string[]]>([
    ["all hold", 0, ["--no-new-access", "HEAD", "--compare", "reader", "writer"]],
    ["one doesn't", 2, ["--no-new-access", "HEAD", "--not-granted", "files.write"]],
    ["one can't be told", 3, ["--no-new-access", "nowhere", "--compare", "reader", "writer"]],
    ["one doesn't, and one can't be told", 2, ["--no-new-access", "nowhere", "--compare", "writer", "reader"]],
    ["a slip in a selector", 64, ["--not-granted", "files.wirte"]],
    ["a slip in a role", 64, ["--compare", "reader", "writr"]],
    ["no question", 64, []],
    ["half a question", 64, ["--compare", "reader"]],
    ["whom, without what", 64, ["--role", "reader"]],
  ])("%s: %i", async (_, exit, args) => expect((await verify(...args, "--quiet")).exit).toBe(exit));

  test("a project with errors has no answer", async () => {
    project.write({ "mcp/roles.yaml": "roles:\n  reader: { tools: { fils: [read] } }\n" });
    expect((await verify("--no-new-access", "HEAD")).exit).toBe(1);
  });
});

test("conditions that can't be told apart are no proof, whatever is known of the base", async () => {
  project.write({
    "mcp/roles.yaml": roles('{ include: [write], where: { write: { path: { pattern: "^a", optional: true } } } }'),
  });
  await run(["build"], project.dir);
  const written = readFileSync(path.join(project.dir, "src/mcp/access.json"), "utf8");
  project.write({ "before.json": written.replace('"^a"', String.raw`"^a\\b"`) });
  const { exit, printed } = await verify("--no-new-access", "./before.json");
  expect(printed).toContain("can't be told: access is no wider than at ./before.json\n  reader: ");
  expect(printed).not.toContain("passes");
  expect(exit).toBe(3);
});

test("every slip is told at once, with the nearest name", async () => {
  const { printed } = await verify("--not-granted", "files.wirte", "--role", "raeder", "--compare", "reader", "writr");
  for (const meant of ["write", "reader", "writer"]) expect(printed).toMatch(new RegExp(`did you mean \`${meant}\``));
  expect(printed).not.toMatch(/holds/);
});

test.each([
  ["files.wirte", "rolecall: --not-granted: `wirte` is not"],
  ["flies.write", "rolecall: --not-granted names"],
])("a slip in %s is told as the flag's, once", async (tools, begins) => {
  const { printed } = await verify("--not-granted", tools);
  expect(printed.split("\n")[0]).toContain(begins);
  expect(printed.match(/--not-granted/g)).toHaveLength(1);
});

test("as JSON", async () => {
  const { printed } = await verify("--not-granted", "files.write", "--compare", "reader", "writer", "--json");
  expect(JSON.parse(printed)).toMatchObject({
    format: 1,
    verdict: "fails",
    answers: [
      {
        question: { kind: "not-granted", tools: "files.write", roles: null },
        verdict: "fails",
        against: [
          {
            kind: "tool",
            role: "writer",
            through: null,
            from: [{ rule: "include", written: "write", at: { file: "mcp/roles.yaml", line: 3 } }],
            example: { role: "writer", server: "files", tool: "write", args: {} },
          },
        ],
        unknown: null,
      },
      { question: { kind: "compare", role: "reader", other: "writer" }, verdict: "holds", beyond: [{ tool: "write" }] },
    ],
  });
});
