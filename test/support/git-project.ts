import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { engine } from "../../compiler/cli/engine.ts";
import type { Built } from "../../compiler/cli/command.ts";

/** Text by path; undefined: the file goes. */
export type Edit = Readonly<Record<string, string | undefined>>;

/** A repository with a project in it, worked on with the real git. */
export interface GitProject {
  readonly dir: string;
  at(file: string): string;
  text(file: string): string;
  write(edit: Edit): void;
  build(cache?: boolean): Promise<Built>;
  check(): Promise<Built>;
  /** Throws when git fails. */
  git(...args: string[]): string;
  /** False when git stopped. */
  tries(...args: string[]): boolean;
  commit(message: string): void;
  /** Every file but git's and rolecall's own. */
  tree(): Record<string, string>;
}

const ENV = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_EDITOR: "true",
  ...Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "t"],
      [`GIT_${who}_EMAIL`, "t@example.com"],
    ]),
  ),
};

export function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "rolecall-git-"));
}

export function openGitProject(dir: string): GitProject {
  const at = (file: string) => path.join(dir, file);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: dir, env: ENV, encoding: "utf8", stdio: "pipe" });
  return {
    dir,
    at,
    git,
    text: (file) => readFileSync(at(file), "utf8"),
    write: (edit) => {
      for (const [file, text] of Object.entries(edit)) {
        mkdirSync(path.dirname(at(file)), { recursive: true });
        if (text === undefined) rmSync(at(file), { force: true });
        else writeFileSync(at(file), text);
      }
    },
    build: (cache = true) => engine.build(dir, { check: false, cache }),
    check: () => engine.build(dir, { check: true, cache: false }),
    tries: (...args) => spawnSync("git", args, { cwd: dir, env: ENV, stdio: "pipe" }).status === 0,
    commit: (message) => {
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", message);
    },
    tree: () =>
      Object.fromEntries(
        filesBelow(dir)
          .filter((file) => !/^\.(?:git|rolecall)\//.test(file))
          .map((file) => [file, readFileSync(at(file), "utf8")]),
      ),
  };
}

export function newGitProject(top: string, name: string, files: Edit): GitProject {
  const project = openGitProject(path.join(top, name));
  mkdirSync(project.dir, { recursive: true });
  project.git("init", "-q", "-b", "main");
  project.write(files);
  return project;
}

/** As somebody else has it who clones it now. */
export function cloneOf(project: GitProject, name: string): GitProject {
  const dir = path.join(path.dirname(project.dir), name);
  project.git("clone", "-q", project.dir, dir);
  return openGitProject(dir);
}

/** A copy of some files alone, without git, built from nothing. */
export async function builtFrom(project: GitProject, name: string, files: Edit): Promise<Record<string, string>> {
  const copy = openGitProject(path.join(path.dirname(project.dir), name));
  mkdirSync(copy.dir);
  copy.write(files);
  const { diagnostics } = await copy.build(false);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return copy.tree();
}

function filesBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .sort();
}
