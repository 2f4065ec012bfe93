import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { newGitProject, openGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** What is said of a revision that git doesn't know leads to one that it knows, in every sort of clone. */

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const top = temporaryFolder();
afterAll(() => rmSync(top, { recursive: true, force: true }));

let origin: GitProject;
beforeAll(() => {
  origin = newGitProject(top, "origin", {
    "rolecall.yaml": "version: 1\nproject: harbor\n",
    "mcp/servers.yaml": "{}\n",
  });
  origin.commit("one");
  origin.commit("two");
  origin.git("tag", "v1.0");
  origin.git("checkout", "-q", "-b", "work");
  origin.commit("three");
});

let clones = 0;
function clone(...how: string[]): GitProject {
  const dir = path.join(top, `clone${++clones}`);
  execFileSync("git", ["clone", "-q", ...how, "-b", "work", `file://${origin.dir}`, dir], { stdio: "pipe" });
  return openGitProject(dir);
}

async function said(project: GitProject, revision: string): Promise<string> {
  const { exit, printed } = await run(["diff", revision], project.dir);
  expect(exit).toBe(3);
  return printed.replace(/\s+/g, " ");
}

test("a branch that a remote has here is written with its remote", async () => {
  const project = clone();
  expect(await said(project, "main")).toContain("git knows no revision `main` write `origin/main`");
  expect((await run(["diff", "origin/main"], project.dir)).exit).toBe(0);
  expect(await said(project, "main~1")).toContain("write `origin/main~1`");
  expect((await run(["diff", "origin/main~1"], project.dir)).exit).toBe(0);
  expect(await said(project, "main~9")).toContain("`git log` shows what there is");
  project.git("remote", "rename", "origin", "upstream");
  expect(await said(project, "main")).toContain("write `upstream/main`");
});

test.each([
  ["of one branch", ["--single-branch"]],
  ["of one commit", ["--depth", "1"]],
])("a branch that a clone %s hasn't is fetched, and then known as FETCH_HEAD", async (_, how) => {
  const project = clone(...how);
  for (const name of ["main", "origin/main"]) {
    const words = await said(project, name);
    expect(words).toContain("fetch it: git fetch origin main, and write `FETCH_HEAD`");
  }
  project.git("fetch", "-q", "origin", "main");
  expect(await said(project, "main")).toContain("FETCH_HEAD");
  expect((await run(["diff", "FETCH_HEAD"], project.dir)).exit).toBe(0);
});

test("a branch whose name a shell would run is one word of what is said", async () => {
  expect(await said(clone("--single-branch"), "a;touch$IFS`b`")).toContain("git fetch origin 'a;touch$IFS`b`', and");
});

test("a commit further back than a clone goes", async () => {
  const project = clone("--depth", "1");
  expect(await said(project, "HEAD~1")).toContain("this clone has a part of the history: git fetch --unshallow");
  expect(await said(project, origin.git("rev-parse", "HEAD~1").trim())).toContain("git fetch --unshallow");
  project.git("fetch", "-q", "--unshallow");
  expect((await run(["diff", "HEAD~1"], project.dir)).exit).toBe(0);
  expect(await said(project, "HEAD~9")).toContain("`git log` shows what there is");
});

test.each([
  ["mian", "main"],
  ["v1.1", "v1.0"],
  ["wrok~1", "work~1"],
])("the nearest name to %s", async (written, near) => {
  const words = await said(origin, written);
  expect(words).toContain(`git knows no revision \`${written}\` did you mean \`${near}\`?`);
  expect((await run(["diff", near], origin.dir)).exit).toBe(0);
});

test("a name that nothing is near to, and no remote", async () =>
  expect(await said(origin, "nowhere")).toContain("name a branch, a tag or a commit that `git log --all` shows"));
