import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** With the real git: what a reviewer is told of a change. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const manifest = (more: object = {}): string =>
  JSON.stringify({
    server: "files",
    tools: ["read", "write"].map((name) => ({
      name,
      description: `Can ${name}.`,
      inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"], ...more },
    })),
  });
const roles = (entry: string): string =>
  `roles:\n  docs:\n    builtins: { claude-code: [Read] }\n    tools:\n      files: ${entry}\n`;

const PROJECT = {
  "rolecall.yaml": "version: 1\nproject: harbor\n",
  "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [node, files.mjs] }] }\n",
  "mcp/manifests/files.json": manifest(),
  "mcp/roles.yaml": roles('{ include: [read, write], where: { write: { path: { glob: "docs/api/**" } } } }'),
};

let project: GitProject;
beforeEach(() => {
  const dir = temporaryFolder();
  folders.push(dir);
  project = openGitProject(dir);
  project.git("init", "-q", "-b", "main");
  project.write(PROJECT);
  project.commit("one");
});

const diff = async (...args: string[]) => {
  const { exit, printed } = await run(["diff", ...args], project.dir);
  return { exit, printed };
};

test("nothing changed", async () => {
  expect(await diff()).toEqual({
    exit: 0,
    printed: expect.stringMatching(/^access: no change\n {2}compared with main /),
  });
});

describe("a condition that is loosened", () => {
  beforeEach(() =>
    project.write({
      "mcp/roles.yaml": roles('{ include: [read, write], where: { write: { path: { glob: "docs/**" } } } }'),
    }),
  );

  test("comes with its line and a call that passes now", async () => {
    const { printed } = await diff("HEAD");
    expect(printed).toContain("access WIDENS: looser condition on files.write for docs\n  compared with HEAD\n");
    expect(printed).toContain("+ files.write: looser condition");
    expect(printed).toContain("mcp/roles.yaml:5");
    expect(printed).toMatch(/allowed now, for example: write \{"path":"docs\/x"\}/);
  });

  test.each([
    ["widens", 2],
    ["changed", 2],
  ])("--fail-on %s", async (level, exit) =>
    expect((await diff("HEAD", "--fail-on", level, "--quiet")).exit).toBe(exit),
  );

  test("has one digest, whatever else is committed in between", async () => {
    const before = (await diff("HEAD", "--digest")).printed;
    const loosened = project.text("mcp/roles.yaml");
    project.write({ "mcp/roles.yaml": PROJECT["mcp/roles.yaml"], "notes.md": "Something else.\n" });
    project.commit("two");
    project.write({ "mcp/roles.yaml": loosened });
    expect((await diff("HEAD", "--digest")).printed).toBe(before);
    project.write({ "mcp/roles.yaml": roles("[read, write]") });
    expect((await diff("HEAD", "--digest")).printed).not.toBe(before);
  });

  test("as JSON and as Markdown", async () => {
    const json = JSON.parse((await diff("HEAD", "--json")).printed) as { verdict: string; changes: object[] };
    expect(json).toMatchObject({
      verdict: "widens",
      changes: [{ direction: "widens", kind: "condition", role: "docs", server: "files", tool: "write" }],
    });
    expect((await diff("HEAD", "--markdown")).printed).toMatch(
      /^### Access widens: looser condition on `files\.write` for `docs`\n\nNeeds an approval.*\n\n\*\*Role `docs`\*\*\n\n```diff\n\+ /,
    );
  });
});

test("a restriction is no widening", async () => {
  project.write({ "mcp/roles.yaml": roles("[read]") });
  const { exit, printed } = await diff("HEAD", "--fail-on", "widens");
  expect([exit, printed]).toEqual([0, expect.stringContaining("- files.write")]);
});

test("a role that comes with the host's own tools alone", async () => {
  project.write({ "mcp/more.yaml": "roles: { shell: { builtins: { claude-code: [Bash] } } }\n" });
  const { exit, printed } = await diff("HEAD", "--fail-on", "widens");
  expect([exit, printed]).toEqual([2, expect.stringContaining("may use the host's own `claude-code: Bash`")]);
});

test.each([
  ["another host", "hosts: [claude-code]", "hosts: [claude-code, opencode]"],
  ["a server that isn't kept away any more", "hosts: [{ id: claude-code, without: [files] }]", "hosts: [claude-code]"],
])("%s is a change", async (_, before, after) => {
  project.write({ "rolecall.yaml": `${PROJECT["rolecall.yaml"]}${before}\n` });
  project.commit("hosts");
  project.write({ "rolecall.yaml": `${PROJECT["rolecall.yaml"]}${after}\n` });
  const { exit, printed } = await diff("HEAD", "--fail-on", "changed");
  expect([exit, printed]).toEqual([2, expect.stringMatching(/\+ .*host/)]);
});

test("a tool that isn't what it was", async () => {
  project.write({ "mcp/manifests/files.json": manifest({ required: ["path", "mode"] }) });
  const { exit, printed } = await diff("HEAD", "--fail-on", "changed");
  expect([exit, printed]).toEqual([2, expect.stringContaining("it needs the new argument `mode` now")]);
});

test.each([
  [
    "another address",
    { "mcp/servers.yaml": "servers: { files: { connect: [{ stdio: [node, other.mjs] }] } }\n" },
    "before: `node files.mjs`\n      now: `node other.mjs`",
  ],
  [
    "hosts' own tools",
    { "mcp/roles.yaml": PROJECT["mcp/roles.yaml"].replace("[Read]", "[Read, Bash]") },
    "+ may use the host's own `claude-code: Bash`",
  ],
  [
    "a role with another name",
    { "mcp/roles.yaml": PROJECT["mcp/roles.yaml"].replace("docs:", "writer:") },
    "role docs is called writer now",
  ],
])("%s", async (_, edit, says) => {
  project.write(edit);
  expect((await diff("HEAD")).printed).toContain(says);
});

describe("what it is compared with", () => {
  test("a commit before there was a project: everything is new", async () => {
    project.git("checkout", "-q", "--orphan", "empty");
    project.git("rm", "-rfq", "--cached", ".");
    project.git("commit", "-q", "--allow-empty", "-m", "none");
    project.git("checkout", "-q", "-f", "main");
    expect((await diff("empty")).printed).toContain("+ files.read");
  });

  test("a folder, and an access.json", async () => {
    await run(["build", "--quiet"], project.dir);
    project.git("worktree", "add", "-q", path.join(project.dir, "before"), "HEAD");
    project.write({ "mcp/roles.yaml": roles("[read]") });
    expect((await diff("./before")).printed).toContain("- files.write");
    expect((await diff("./src/mcp/access.json")).printed).toContain("- files.write");
  });

  test("a project with errors, of which the access.json is known all the same", async () => {
    await run(["build", "--quiet"], project.dir);
    project.git("add", "-A", "-f");
    project.commit("built");
    project.write({ "mcp/old.yaml": "servres: {}\n" });
    project.commit("broken");
    project.write({ "mcp/old.yaml": undefined, "mcp/roles.yaml": roles("[read]") });
    expect((await diff("HEAD")).printed).toContain("- files.write");
  });

  test("a folder with the name of a branch is no base: the change could bring it", async () => {
    project.write({ "mcp/roles.yaml": roles("[read]") });
    project.commit("less");
    project.git("checkout", "-q", "-b", "work");
    project.write({ "mcp/roles.yaml": roles("[read, write]") });
    for (const [file, text] of Object.entries(PROJECT)) project.write({ [`main/${file}`]: text });
    expect((await diff("main", "--fail-on", "widens")).exit).toBe(2);
    expect((await diff("", "--fail-on", "widens")).exit).toBe(64);
  });

  test.each([
    ["nowhere", "git knows no revision `nowhere`"],
    ["--not-a-flag-x", "64"],
  ])("what can't be read is no pass: %s", async (base, says) => {
    const { exit, printed } = await diff(base, "--fail-on", "widens");
    expect([exit, printed + String(exit)]).toEqual([expect.not.stringMatching("0"), expect.stringContaining(says)]);
    expect([3, 64]).toContain(exit);
  });

  test("a clone of a part of the history says what to fetch", async () => {
    project.git("checkout", "-q", "-b", "work");
    project.write({ "notes.md": "x\n" });
    project.commit("more");
    project.git("checkout", "-q", "main");
    const clone = path.join(temporaryFolder(), "shallow");
    folders.push(path.dirname(clone));
    execFileSync(
      "git",
      ["clone", "-q", "--depth", "1", "--no-single-branch", "-b", "work", `file://${project.dir}`, clone],
      {
        stdio: "pipe",
      },
    );
    const { exit, printed } = await run(["diff"], clone);
    expect([exit, printed]).toEqual([3, expect.stringContaining("git fetch --unshallow")]);
  });
});

test("a page that is too long for a comment sheds what can be looked up, and keeps the verdict and how to accept it", async () => {
  const tools = (text: string): string =>
    JSON.stringify({
      server: "files",
      tools: ["read", "write", ...Array.from({ length: 60 }, (_, i) => `tool_${i}`)].map((name) => ({
        name,
        description: `${name} ${text.repeat(1500)}`,
        inputSchema: { type: "object", properties: { path: { type: "string" } } },
      })),
    });
  project.write({ "mcp/manifests/files.json": tools("a "), "mcp/roles.yaml": roles("all") });
  project.commit("two");
  const approver = "diff: { approvers: [eve] }\n";
  project.write({ "mcp/manifests/files.json": tools("b "), "rolecall.yaml": PROJECT["rolecall.yaml"] + approver });
  const { printed } = await diff("HEAD", "--markdown");
  expect(printed.length).toBeLessThan(60_000);
  expect(printed).toMatch(/^### Access is changed: /);
  expect(printed).toContain("**READ THIS: texts that steer your agents changed**");
  expect(printed).toMatch(/Too long for a comment: 1 of \d+ sections are left out/);
  expect(printed).not.toContain("b b b");
  expect(printed).toContain("+ approver eve");
  expect(printed).toContain("approved:");
});

test("a pinned schema that names one more argument lets more pass where there is a condition", async () => {
  const more = { properties: { path: { type: "string" }, force: { type: "boolean" } } };
  project.write({ "mcp/manifests/files.json": manifest(more) });
  const { exit, printed } = await diff("HEAD", "--fail-on", "widens");
  expect(exit).toBe(2);
  expect(printed).toContain("looser condition on files.write");
  expect(printed).toContain(`allowed now, for example: write {"force":true,"path":"docs/api/x"}`);
  expect(printed).not.toContain("looser condition on files.read");
});

test("approvals that count for nothing, however many, don't push what a change opens off the page", async () => {
  const entry = "{ include: [read, write] }";
  project.write({ "mcp/roles.yaml": roles(entry) });
  const digest = (await diff("HEAD", "--digest")).printed.trim();
  const line = (i: number): string => `  - { digest: "${digest}", by: eve${i}, reason: Agreed., date: "2026-11-19" }\n`;
  project.write({ "mcp/approved.yaml": `approved:\n${Array.from({ length: 900 }, (_, i) => line(i)).join("")}` });
  const { printed } = await diff("HEAD", "--fail-on", "widens", "--markdown");
  expect(printed.length).toBeLessThan(60_000);
  expect(printed).toContain("files.write");
  expect(printed).toContain("more words on approvals and exceptions");
});
