import { rmSync } from "node:fs";
import { afterAll, beforeEach, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { manifest } from "../../support/compiled.ts";
import { openGitProject, temporaryFolder, type Edit, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** A tool that needs a yes is never told as one that needs none, nor the other way round. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const roles = (text: string): Edit => ({ "mcp/roles.yaml": `roles:\n  docs: { tools: { files: ${text} } }\n` });
const CONDITION = (glob: string): string =>
  `{ include: [burn], ask: [burn], where: { burn: { path: { glob: '${glob}' } } } }`;

const PROJECT = "version: 1\nproject: harbor\n";
let project: GitProject;
beforeEach(() => {
  const dir = temporaryFolder();
  folders.push(dir);
  project = openGitProject(dir);
  project.git("init", "-q", "-b", "main");
  project.write({
    "rolecall.yaml": PROJECT,
    "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
    "mcp/manifests/files.json": manifest("look", { name: "burn", arguments: ["path"] }, "touch"),
    ...roles("[look]"),
  });
});
const page = async (now: Edit, ...args: string[]): Promise<string> => {
  project.commit("before");
  project.write(now);
  const { printed } = await run(args.length === 0 ? ["diff", "HEAD"] : args, project.dir);
  return printed.replace(/\n +(?![-+~] )/g, " ");
};

test("a condition that says `ask` is no question", async () => {
  const text = await page(roles("{ include: [look, burn], where: { burn: { path: { enum: [ask] } } } }"));
  expect(text).toContain("docs may now call files.burn without a person's yes, on conditions");
  expect(text).toContain("+ files.burn (without a yes;");
  expect(text).toContain("allowed now, for example: burn");
});

test("line 1 says of no tool that it comes on conditions where one beside it, or another role's, does", async () => {
  const some = "{ include: [look, burn, touch], where: { burn: { path: { enum: [a] } } } }";
  expect(await page(roles(some))).toContain(
    "docs may now call files.burn (on conditions), files.touch without a person's yes ",
  );
  project.commit("some");
  const conditioned = "{ include: [look, burn], where: { burn: { path: { enum: [a] } } } }";
  project.write({ "mcp/roles.yaml": "roles:\n  a: { tools: { files: [look] } }\n  b: { tools: { files: [look] } }\n" });
  const text = await page({
    "mcp/roles.yaml": `roles:\n  a: { tools: { files: ${conditioned} } }\n  b: { tools: { files: [look, burn] } }\n`,
  });
  expect(text).toContain(
    "WIDENS: a may now call files.burn without a person's yes, on conditions; b may now call files.burn without a person's yes ",
  );
});

test("a condition of an asked tool is let out: each call still needs a yes", async () => {
  project.write(roles(CONDITION("a/**")));
  const text = await page(roles(CONDITION("**")));
  expect(text).toContain("access WIDENS: looser condition on files.burn (needs a yes) for docs ");
  expect(text).toContain("+ files.burn: looser condition (needs a yes)");
  expect(text).toContain("allowed now with a yes, for example: burn");
});

test("... and verify says so of the call that passes", async () => {
  project.write(roles(CONDITION("a/**")));
  const text = await page(roles(CONDITION("**")), "verify", "--no-new-access", "HEAD");
  expect(text).toContain("passes after a yes: burn");
});

test("a policy that is gone: what is held by it, and asked", async () => {
  project.write({
    ...roles("{ include: [look, touch, burn], ask: [burn] }"),
    "mcp/rules.yaml": "policies: [{ name: no fire, roles: [docs], tools: [files.burn, files.touch], effect: deny }]\n",
  });
  const text = await page({ "mcp/rules.yaml": undefined });
  expect(text).toContain("by this, today: docs may call files.burn with a yes, docs may call files.touch");
});

test("work handed on: line 1 says what needs a yes", async () => {
  const docs = "  docs: { tools: { files: { include: [touch, burn], ask: [burn] } } }\n";
  const lead = (more: string): Edit => ({
    "mcp/roles.yaml": `roles:\n${docs}  lead: { tools: { files: [look] }${more} }\n`,
  });
  project.write(lead(""));
  const [first] = (await page(lead(", delegates: [docs]"))).split("compared with");
  expect(first).toContain("lead can hand work to docs, and so reaches files.burn (needs a yes), files.touch");
});

test("the JSON says so too, with what decided it before, and what a host is given", async () => {
  project.write({
    ...roles("{ include: [look, burn], ask: [burn] }"),
    "rolecall.yaml": `${PROJECT}hosts: [claude-code]\n`,
  });
  project.commit("before");
  project.write(roles("{ include: [look, burn, touch], ask: [touch] }"));
  project.write({ "rolecall.yaml": `${PROJECT}hosts: [{ id: claude-code, without: [files] }]\n` });
  const { changes } = JSON.parse((await run(["diff", "HEAD", "--json"], project.dir)).printed) as { changes: object[] };
  const rule = { written: "burn", by: "docs" };
  expect(changes).toMatchObject([
    { kind: "host", asked: null, given: { more: [], less: ["docs: files.burn", "docs: files.look"] }, noLonger: [] },
    {
      tool: "burn",
      asked: false,
      given: null,
      from: [{ ...rule, rule: "include", asBefore: true }],
      noLonger: [{ ...rule, rule: "ask", at: { file: "mcp/roles.yaml", line: 2 } }],
    },
    { tool: "touch", asked: true, from: [{ written: "touch", asBefore: false }], noLonger: [] },
  ]);
});
