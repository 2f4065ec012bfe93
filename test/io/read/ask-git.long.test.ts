import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { engine } from "../../../compiler/cli/engine.ts";
import { main } from "../../../compiler/cli/main.ts";
import { newGitProject, temporaryFolder, type GitProject } from "../../support/git-project.ts";
import { runInProcess } from "../../support/run-cli.ts";

/** A folder that came from somebody brings a repository: no command that its configuration names is run. */

let top: string;
let marker: string;
beforeEach(() => {
  top = temporaryFolder();
  marker = path.join(top, "ran");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(top, { recursive: true, force: true });
});

const run = runInProcess((argv, terminal) => main(argv, terminal, engine));
const PROJECT = {
  "rolecall.yaml": "version: 1\nproject: harbor\n",
  ".gitattributes": "* filter=evil diff=evil\n",
  "mcp/servers.yaml": "servers:\n  files: { connect: [{ stdio: [node, files.mjs] }] }\n",
  "mcp/manifests/files.json": '{"server":"files","tools":[{"name":"read","inputSchema":{"type":"object"}}]}',
  "mcp/roles.yaml": "roles:\n  docs:\n    tools:\n      files: all\n",
  "servers.json": '{"mcpServers":{"a":{"command":"x","args":[]}}}',
};

const isolated = { ...process.env, GIT_NO_LAZY_FETCH: "1" };
const objectOf = (gitFolder: string, file: string) => {
  const digest = execFileSync("git", [`--git-dir=${gitFolder}`, "rev-parse", `HEAD:${file}`], {
    encoding: "utf8",
    env: isolated,
  });
  return path.join(gitFolder, "objects", digest.slice(0, 2), digest.slice(2).trim());
};

/** Every command that git is known to take from there, and a file whose object is to be fetched. */
async function hostile(isBare: boolean): Promise<GitProject> {
  const project = newGitProject(top, "p", PROJECT);
  await project.build();
  project.commit("one");
  cpSync(project.at(".git"), path.join(top, "origin"), { recursive: true });
  for (const file of ["mcp/roles.yaml", "src/mcp/index.ts"]) rmSync(objectOf(project.at(".git"), file));
  writeFileSync(project.at("src/mcp/index.ts"), `${readFileSync(project.at("src/mcp/index.ts"), "utf8")}// mine\n`);
  const touch = `touch ${marker}; false`;
  writeFileSync(
    project.at(".git/config"),
    `[core]\n repositoryformatversion = 1\n bare = false\n fsmonitor = "${touch}"\n sshCommand = "${touch}"\n` +
      (isBare ? ' worktree = "."\n' : "") +
      ` pager = "${touch}"\n[pager]\n cat-file = "${touch}"\n ls-tree = "${touch}"\n[diff]\n external = "${touch}"\n` +
      `[diff "evil"]\n textconv = "${touch}"\n command = "${touch}"\n` +
      `[filter "evil"]\n clean = "${touch}"\n smudge = "${touch}"\n process = "${touch}"\n` +
      `[extensions]\n partialClone = origin\n[protocol "file"]\n allow = always\n[protocol "ext"]\n allow = always\n` +
      `[remote "origin"]\n url = ${path.join(top, "origin")}\n promisor = true\n` +
      ` uploadpack = "touch ${marker}; git-upload-pack"\n`,
  );
  if (isBare) {
    for (const part of ["HEAD", "refs", "objects", "config", "index"])
      cpSync(project.at(`.git/${part}`), project.at(part), { recursive: true });
    rmSync(project.at(".git"), { recursive: true });
  } else appendFileSync(project.at(".git/MERGE_HEAD"), readFileSync(project.at(".git/refs/heads/main")));
  rmSync(project.at(".rolecall"), { recursive: true, force: true });
  return project;
}

test.each<[string, boolean, string[]]>(
  [["diff"], ["diff", "main"], ["build"], ["init", "--yes"]].flatMap((argv) => [
    [`${argv.join(" ")}, in an archive with .git`, false, argv],
    [`${argv.join(" ")}, in a folder shaped like a repository`, true, argv],
  ]),
)("%s", async (_, isBare, argv) => {
  const project = await hostile(isBare);
  if (argv[0] === "init") for (const one of ["rolecall.yaml", "mcp"]) rmSync(project.at(one), { recursive: true });
  await run(argv, project.dir);
  await run(argv, project.dir);
  expect(existsSync(marker)).toBe(false);
});

test.each([["unused"], ["report"]])("%s asks git nothing", async (command) => {
  const project = newGitProject(top, "p", PROJECT);
  await project.build();
  project.commit("one");
  const bin = path.join(top, "bin");
  mkdirSync(bin);
  writeFileSync(path.join(bin, "git"), `#!/bin/sh\ntouch ${marker}\nexit 1\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}${path.delimiter}${process.env["PATH"]}`);
  await run([command], project.dir);
  expect(existsSync(marker)).toBe(false);
  // Where somebody asks, this git is the one.
  await run(["diff"], project.dir);
  expect(existsSync(marker)).toBe(true);
});

test("comparing after a build that stands runs no filter", async () => {
  const project = newGitProject(top, "p", PROJECT);
  await project.build();
  project.commit("one");
  project.git("config", "filter.evil.clean", `touch ${marker}; cat`);
  await new Promise((resolve) => setTimeout(resolve, 20));
  project.write(PROJECT);
  await project.build();
  const { printed } = await run(["diff", "HEAD"], project.dir);
  expect(printed).toContain("access: no change");
  expect(existsSync(marker)).toBe(false);
});
