import { rmSync } from "node:fs";
import { afterAll, beforeEach, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { manifest } from "../../support/compiled.ts";
import { openGitProject, temporaryFolder, type Edit, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** The line that a change is told with is the line that did it; of a rule that went, where it was one. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const START: Edit = {
  "rolecall.yaml": "version: 1\nproject: harbor\n",
  "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
  "mcp/manifests/files.json": manifest("look", { name: "burn", arguments: ["path"] }, "touch"),
};
/** A parent from line 2 on, and its child from line 7 on. */
const roles = (base: string, docs = "      files: [look]\n"): Edit => ({
  "mcp/roles.yaml": `roles:
  base:
    description: What all have.
    tools:
${base}  docs:
    extends: base
    tools:
${docs}`,
});
const policies = (...text: readonly string[]): Edit => ({ "mcp/rules.yaml": `policies:\n${text.join("")}` });
const policy = (name: string, rest: string): string => `  - { name: ${name}, roles: ["*"], ${rest} }\n`;

let project: GitProject;
beforeEach(() => {
  const dir = temporaryFolder();
  folders.push(dir);
  project = openGitProject(dir);
  project.git("init", "-q", "-b", "main");
  project.write(START);
});
const page = async (was: Edit, now: Edit, ...args: string[]): Promise<string> => {
  project.write(was);
  project.commit("before");
  project.write(now);
  return (await run(["diff", "HEAD", ...args], project.dir)).printed.replace(/\n {8}/g, " ").replace(/\n {6}/g, " | ");
};

test("a selector that stood in a role already isn't what did it; the one that came is", async () => {
  const text = await page(
    roles("      files: [look]\n", "      files: [look, burn]\n"),
    roles("      files: [look, touch]\n", "      files: [look, burn]\n"),
  );
  expect(text).toContain("by include `touch` at mcp/roles.yaml:5");
  expect(text).not.toContain("as before");
});

test("an exclude that went", async () => {
  const text = await page(
    roles("      files:\n        include: [look]\n        exclude: [burn]\n", "      files: ['*']\n"),
    roles("      files:\n        include: [look]\n", "      files: ['*']\n"),
  );
  expect(text).toContain(
    `docs
  + files.burn (without a yes; unknown if it writes) | allowed now, for example: burn {} | kept away no longer by exclude \`burn\` of base at mcp/roles.yaml:5 | as before, by include \`*\` at mcp/roles.yaml:10`,
  );
});

test("a question that went, of a role and of a policy that says something else now", async () => {
  const now = "      files: { include: [look, burn] }\n";
  const text = await page(
    {
      ...roles("      files: { include: [look, burn], ask: [burn] }\n"),
      ...policies(
        policy("first", "tools: [files.look], effect: ask"),
        policy("last", "tools: [files.burn], effect: ask"),
      ),
    },
    { ...roles(now), ...policies(policy("last", "tools: [files.look], effect: ask")) },
  );
  expect(text).toContain(
    "asked no longer by ask `burn` at mcp/roles.yaml:5 | asked no longer by policy `last` at mcp/rules.yaml:2 | as before, by include `burn` at mcp/roles.yaml:5",
  );
});

test("a policy that went has no line, and another one that stands there isn't it", async () => {
  const both = [
    policy("first", "tools: [files.burn], effect: deny"),
    policy("last", "tools: [files.look], effect: ask"),
  ];
  const now = roles("      files: [look, burn]\n");
  const text = await page({ ...now, ...policies(...both) }, policies(both[1]!));
  expect(text).toContain("kept away no longer by policy `first` | as before, by include `burn` at mcp/roles.yaml:5");
});

test("one of two conditions: the one that went, the one that changed", async () => {
  const where = (...conditions: readonly string[]): Edit =>
    roles(
      `      files:\n        include: [look, burn]\n        where:\n${conditions.map((one) => `          ${one}\n`).join("")}`,
    );
  const [first, other] = ['burn: { path: { glob: "a/**" } }', '"b*": { path: { pattern: "x" } }'];
  expect(await page(where(first, other), where(first))).toContain(
    "held no longer to the condition on `b*` at mcp/roles.yaml:5 | as before, by the condition on `burn` at mcp/roles.yaml:8",
  );
  const changed = await page(where(first, other), where(first, '"b*": { path: { pattern: "xy" } }'));
  expect(changed).toContain("by the condition on `b*` at mcp/roles.yaml:9 | as before, by the condition on `burn`");
});

test("the annotation is at the line that did it", async () => {
  const where = (other: string): Edit =>
    roles(
      `      files:\n        include: [look, burn]\n        where:\n          burn: { path: { glob: "a/**" } }\n          "b*": { path: { pattern: "${other}" } }\n`,
    );
  expect(await page(where("^x$"), where("x"), "--format", "github")).toContain("file=mcp/roles.yaml,line=9,");
  const asked = roles("      files: { include: [look, burn], ask: [burn] }\n");
  expect(await page(asked, roles("      files: { include: [look, burn] }\n"), "--format", "github")).toContain(
    "file=mcp/roles.yaml,line=5,",
  );
});

test("a grant of a parent that went isn't missing in the child", async () => {
  const text = await page(roles("      files: [look, burn]\n"), roles("      files: [look]\n"));
  expect(text).toContain(
    "docs\n  - files.burn: can't be called any more | granted no longer by include `burn` of base at mcp/roles.yaml:5",
  );
});

test("of a role that is gone no rule of a parent that is still there", async () => {
  const text = await page(roles("      files: [look, burn]\n"), {
    "mcp/roles.yaml": "roles:\n  base:\n    description: What all have.\n    tools:\n      files: [look, burn]\n",
  });
  expect(text).toContain("docs\n  - files: burn, look: can't be called any more\n");
});

test("a delegate, and a host's own tools, that came or went", async () => {
  const lead = (more: string): Edit => roles("      files: [look]\n", `      files: [look]\n${more}`);
  const more = "    delegates:\n      - base\n    builtins:\n      codex: [shell]\n";
  const text = await page(lead(""), lead(more));
  expect(text).toContain("at mcp/roles.yaml:11");
  const back = await page(lead(more), lead(""));
  expect(back).toMatch(/may use the host's own `codex: all tools` \| at mcp\/roles\.yaml:6/);
});

test("the way that changed, of two that begin alike", async () => {
  const ways = (env: string): Edit => ({
    "mcp/servers.yaml": `servers:\n  files:\n    connect:\n      - { stdio: [files], env: { A: x } }\n      - { stdio: [files], env: { B: y${env} } }\n`,
  });
  expect(await page({ ...roles("      files: [look]\n"), ...ways("") }, ways(", C: z"))).toContain(
    "at mcp/servers.yaml:5",
  );
});
