import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** What a change is compared with, where somebody would like it to be something else. */

const folders: string[] = [];
afterAll(() => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const roles = (tools: string): string => `roles: { docs: { tools: { files: ${tools} } } }\n`;
const PROJECT_YAML = "version: 1\nproject: harbor\n";

let project: GitProject;
beforeEach(() => {
  const dir = temporaryFolder();
  folders.push(dir);
  project = openGitProject(dir);
  project.git("init", "-q", "-b", "main");
  project.write({
    "rolecall.yaml": PROJECT_YAML,
    "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [files] }] }\n",
    "mcp/manifests/files.json": JSON.stringify({
      server: "files",
      tools: ["read", "write"].map((name) => ({ name, inputSchema: { type: "object" } })),
    }),
    "mcp/roles.yaml": roles("[read]"),
  });
  project.commit("start");
});

const diff = (...args: string[]) => run(["diff", ...args], project.dir);
const gate = async (...args: string[]) => (await diff(...args, "--fail-on", "widens", "--quiet")).exit;
/** What somebody commits who has the access already that comes next. */
const forgeAt = async (file: string): Promise<void> => {
  project.write({ "mcp/roles.yaml": roles("[read, write]") });
  await run(["build", "--quiet"], project.dir);
  const { "src/mcp/access.json": forged } = Object.fromEntries(
    Object.entries(project.tree()).map(([name, text]) => [name.replace(/^\//, ""), text]),
  );
  project.write({ [file]: String(forged), "mcp/roles.yaml": roles("[read]") });
};

describe("a base that can't be compiled", () => {
  const BROKEN = "roles: { docs: { tools: { nowhere: [read] } } }\n";

  test("is what its committed access.json says, and the page says so", async () => {
    await forgeAt("src/mcp/access.json");
    project.write({ "mcp/roles.yaml": BROKEN });
    project.commit("broken");
    project.write({ "mcp/roles.yaml": roles("[read, write]") });
    const { exit, printed } = await diff("HEAD", "--fail-on", "widens");
    expect([exit, printed]).toEqual([0, expect.stringContaining("HEAD, by its committed src/mcp/access.json")]);
  });

  test("is none where its access.json says a condition that could be asked for ever", async () => {
    await run(["build", "--quiet"], project.dir);
    const access = JSON.parse(project.text("src/mcp/access.json"));
    for (const name in access.roles.docs.servers)
      access.roles.docs.servers[name].where = { read: { id: { pattern: "x|(?:.*){1000}!" } } };
    project.write({ "src/mcp/access.json": JSON.stringify(access), "mcp/roles.yaml": BROKEN });
    project.commit("broken");
    project.write({ "mcp/roles.yaml": roles("[read]") });
    const { exit, printed } = await diff("HEAD");
    expect([exit, printed.replace(/\s+/g, " ")]).toEqual([
      3,
      expect.stringMatching(/has a condition on `id` of `read` with a pattern that .* compare with another one/),
    ]);
  });

  test("tells nothing of hosts and serve: where rolecall.yaml isn't the same, neither does the answer", async () => {
    await run(["build", "--quiet"], project.dir);
    project.write({ "mcp/roles.yaml": BROKEN });
    project.commit("broken");
    project.write({
      "mcp/roles.yaml": roles("[read]"),
      "rolecall.yaml": `${PROJECT_YAML}serve: { command: [sh, -c, evil] }\n`,
    });
    const { exit, printed } = await diff("HEAD", "--fail-on", "widens");
    const page = printed.replace(/\s+/g, " ");
    expect([exit, page]).toEqual([3, expect.stringContaining("which tells nothing of `hosts`, `serve` and `state`")]);
    expect(page).toContain("can't compare: rolecall.yaml isn't what it was");
    expect((await diff("HEAD")).exit).toBe(0);
    expect((await run(["verify", "--no-new-access", "HEAD"], project.dir)).exit).toBe(3);
    project.write({ "mcp/roles.yaml": roles("[read, write]") });
    expect(await gate("HEAD")).toBe(2);
    expect((await run(["verify", "--no-new-access", "HEAD"], project.dir)).exit).toBe(2);
    project.write({ "mcp/roles.yaml": roles("[read]"), "rolecall.yaml": PROJECT_YAML });
    expect(await gate("HEAD")).toBe(0);
    expect((await run(["verify", "--no-new-access", "HEAD"], project.dir)).exit).toBe(0);
  });

  test("isn't what lies where its rolecall.yaml puts nothing", async () => {
    await forgeAt("src/mcp/access.json");
    project.write({ "rolecall.yaml": `${PROJECT_YAML}out: gen\n`, "mcp/roles.yaml": BROKEN });
    project.commit("broken");
    project.write({ "mcp/roles.yaml": roles("[read, write]") });
    expect(await gate("HEAD")).toBe(3);
  });

  test.each<[string, () => void]>([
    ["a link to nowhere", () => (project.write({ "rolecall.yaml": undefined }), link())],
    ["wrong", () => project.write({ "rolecall.yaml": "version: 1\nproject: [harbor]\n" })],
  ])("couldn't be compared where its rolecall.yaml is %s", async (_, spoil) => {
    await forgeAt("src/mcp/access.json");
    spoil();
    project.commit("spoilt");
    rmSync(path.join(project.dir, "rolecall.yaml"));
    project.write({ "rolecall.yaml": PROJECT_YAML, "mcp/roles.yaml": roles("[read, write]") });
    expect(await gate("HEAD")).toBe(3);
  });
  const link = (): void => symlinkSync("conf.yaml", path.join(project.dir, "rolecall.yaml"));

  test("has nothing where it has no rolecall.yaml, whatever else lies there", async () => {
    await forgeAt("src/mcp/access.json");
    project.write({ "rolecall.yaml": undefined });
    project.commit("none");
    project.write({ "rolecall.yaml": PROJECT_YAML, "mcp/roles.yaml": roles("[read, write]") });
    expect(await gate("HEAD")).toBe(2);
  });
});

describe("whose word counts", () => {
  const excepting = `${PROJECT_YAML}diff:\n  exceptions:\n    - { roles: ["*"], tools: ["*"], direction: widens, reason: the move, until: 2999-01-01 }\n`;
  beforeEach(() => {
    project.write({ "rolecall.yaml": excepting });
    project.commit("exception");
    project.git("tag", "old");
    project.write({ "rolecall.yaml": PROJECT_YAML });
    project.commit("the exception is gone");
    project.git("checkout", "-q", "-b", "work", "old");
    project.write({ "mcp/roles.yaml": roles("[read, write]") });
    project.commit("work");
  });

  test("that of the default branch now, where an older commit of it is named", async () =>
    expect(await gate("old")).toBe(2));

  test("also where nothing is committed yet", async () => {
    project.git("checkout", "-q", "-B", "work", "old");
    project.write({ "mcp/roles.yaml": roles("[read, write]") });
    expect(await gate("old")).toBe(2);
  });

  test("that of the branch that --trusted names", async () => {
    project.git("branch", "release", "old");
    expect(await gate("old", "--trusted", "refs/heads/release")).toBe(0);
    expect(await gate("--trusted", "main")).toBe(2);
    expect(await gate("old", "--trusted", "nowhere")).toBe(3);
  });

  test("that of the named commit, once the change itself is on the default branch", async () => {
    project.git("checkout", "-q", "-B", "main", "work");
    expect(await gate("HEAD~1")).toBe(0);
  });
});

describe("names of revisions", () => {
  beforeEach(() => {
    project.git("checkout", "-q", "-b", "work");
    project.write({ "mcp/roles.yaml": roles("[read, write]") });
    project.commit("work");
  });

  test.each(["origin/HEAD", "origin/main", "main"])("a tag %s isn't the default branch", async (tag) => {
    if (tag !== "main") project.git("update-ref", "refs/remotes/origin/main", "main");
    project.git("tag", tag, "HEAD");
    expect(await gate()).toBe(2);
  });

  test.each(["main", "main~0", "main^{commit}"])("%s of a branch and a tag is told with both", async (name) => {
    project.git("tag", "main", "HEAD");
    const { exit, printed } = await diff(name);
    expect([exit, printed]).toEqual([3, expect.stringMatching(/refs\/tags\/main[^]*refs\/heads\/main/)]);
    expect(await gate("refs/heads/main")).toBe(2);
  });
});
