import { spawnSync } from "node:child_process";
import { cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { trackingOf } from "../../../compiler/io/read/tracking.ts";
import { newGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";

/** Whether a file may come with somebody's commit: a git that gives no answer isn't one that says no. */

let top: string;
let project: GitProject;
beforeEach(() => {
  top = temporaryFolder();
  project = newGitProject(top, "p", { ".env": "A=1\n", "conf/.env": "A=1\n", ".gitignore": "own\n" });
  project.commit("one");
  project.write({ "own/.env": "A=2\n" });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(top, { recursive: true, force: true });
});

const OWN = "own/.env";

test("a file that git tracks is told from one that it doesn't, and from one outside of any repository", () => {
  writeFileSync(path.join(top, ".env"), "A=1\n");
  const tracked = [".env", "conf/.env", OWN, "none", "../.env"].map((file) => trackingOf(project.at(file)));
  expect(tracked).toEqual(["tracked", "tracked", "untracked", "untracked", "untracked"]);
});

describe("through a link", () => {
  test.each([
    ["to a file that is tracked", "link", "conf/.env", false],
    ["that is tracked itself", "link", OWN, true],
    ["of a folder that is tracked", "folder", "own", true],
  ])("%s", (_, link, target, isCommitted) => {
    symlinkSync(target, project.at(link));
    const file = link === "folder" ? "folder/.env" : link;
    if (isCommitted) {
      expect(trackingOf(project.at(file))).toBe("untracked");
      project.git("add", link);
    }
    expect(trackingOf(project.at(file))).toBe("tracked");
  });

  test("that is tracked, on the way of another that isn't", () => {
    symlinkSync("../conf", project.at("own/to"));
    symlinkSync("../own", project.at("conf/back"));
    symlinkSync("own/to/back/.env", project.at("link"));
    expect(trackingOf(project.at("link"))).toBe("untracked");
    project.git("add", "conf/back");
    expect(trackingOf(project.at("link"))).toBe("tracked");
  });
});

describe("where git gives no answer it can't be told, and its words are", () => {
  const broken: [what: string, by: () => void, problem: RegExp, next: RegExp][] = [
    ["a worktree whose repository isn't there", aside, /^git says: not a git repository: /, /an answer/],
    ["a folder of the commit that is shaped like a repository", shaped, /^git says: .*bare repository/, /an answer/],
    ["no git", () => vi.stubEnv("PATH", top), /^there is no git here$/, /^install it/],
  ];
  test.each(broken)("%s", (_, by, problem, next) => {
    by();
    for (const file of ["conf/.env", OWN])
      expect(trackingOf(project.at(file))).toEqual({
        problem: expect.stringMatching(problem) as string,
        next: expect.stringMatching(next) as string,
      });
  });

  // Nobody else can give a file away.
  test.skipIf(process.getuid?.() !== 0)("another owner", () => {
    vi.stubEnv("HOME", top);
    spawnSync("chown", ["-R", "12345:12345", project.dir]);
    expect(trackingOf(project.at(OWN))).toEqual({
      problem: expect.stringContaining("dubious ownership") as string,
      next: `git config --global --add safe.directory ${project.dir}`,
    });
    vi.stubEnv("GIT_CONFIG_COUNT", "1");
    vi.stubEnv("GIT_CONFIG_KEY_0", "safe.directory");
    vi.stubEnv("GIT_CONFIG_VALUE_0", project.dir);
    expect(trackingOf(project.at(OWN))).toBe("untracked");
  });

  test("but not outside of any repository", () => {
    writeFileSync(path.join(top, ".env"), "A=1\n");
    vi.stubEnv("PATH", top);
    expect(trackingOf(path.join(top, ".env"))).toBe("untracked");
  });
});

test.each([
  ["GIT_DIR", "/nowhere/.git"],
  ["GIT_INDEX_FILE", "/nowhere"],
  ["GIT_WORK_TREE", "/"],
  ["GIT_COMMON_DIR", "/nowhere"],
  ["GIT_OBJECT_DIRECTORY", "/nowhere"],
  ["GIT_CEILING_DIRECTORIES", undefined],
  ["GIT_LITERAL_PATHSPECS", "1"],
])("%s leads git nowhere else", (name, value) => {
  vi.stubEnv(name, value ?? project.dir);
  expect([".env", "conf/.env", OWN].map((file) => trackingOf(project.at(file)))).toEqual([
    "tracked",
    "tracked",
    "untracked",
  ]);
});

/** What a container sees of a worktree, or of a submodule, where that alone is mounted. */
function aside(): void {
  rmSync(project.at(".git"), { recursive: true });
  writeFileSync(project.at(".git"), "gitdir: /nowhere/.git/worktrees/p\n");
}

function shaped(): void {
  for (const folder of ["conf", "own"])
    for (const part of ["HEAD", "refs", "objects"])
      cpSync(project.at(`.git/${part}`), project.at(`${folder}/${part}`), { recursive: true });
}
