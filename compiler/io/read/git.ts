import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";
import { git } from "./ask-git.ts";

/** Blobs as git has them, in the order asked: a name is a digest, or as `HEAD:./path`. Undefined: there is none. */
export function blobsOf(dir: string, names: readonly string[]): (Buffer | undefined)[] {
  // A line break in a name would be a question more.
  if (names.some((name) => name.includes("\n"))) return [];
  const { ok, out } = git(dir, ["cat-file", "--batch"], names.map((name) => `${name}\n`).join(""));
  return ok ? blobsIn(out, names.length) : [];
}

/** `<name> blob <size>`, the bytes and a line break for each that is there; a line without a size for each that isn't. */
function blobsIn(answer: Buffer, count: number): (Buffer | undefined)[] {
  const blobs: (Buffer | undefined)[] = [];
  for (let at = 0; blobs.length < count && at < answer.length;) {
    const end = answer.indexOf(10, at);
    if (end === -1) break;
    const size = / blob (\d+)$/.exec(answer.toString("utf8", at, end))?.[1];
    const after = end + 1 + (size === undefined ? 0 : Number(size) + 1);
    blobs.push(size === undefined ? undefined : answer.subarray(end + 1, after - 1));
    at = after;
  }
  return blobs;
}

/** Those of the files that git is told to ignore; none where there is no git. */
export function ignoredBy(dir: string, files: readonly string[]): ReadonlySet<string> {
  if (files.length === 0) return new Set();
  const { ok, out } = git(dir, ["check-ignore", "-z", "--stdin"], files.map((file) => `${file}\0`).join(""));
  return new Set(ok ? out.toString("utf8").split("\0") : []);
}

export interface Revision {
  readonly commit: string;
  /** As people call it. */
  readonly name: string;
  /** Where the branch is by now that it was taken from; the commit itself, where no branch was looked for. */
  readonly tip: string;
}

/** `problem` is a sentence, `next` what to type. */
export interface NoRevision {
  readonly problem: string;
  readonly next: string;
}

const DEFAULT_BRANCHES = ["origin/HEAD", "origin/main", "origin/master", "main", "master"];

/** A revision by its name, or where this branch left the default one. */
export function revisionOf(dir: string, named: string | undefined): Revision | NoRevision {
  const commits = commitsOf(dir, named === undefined ? ["HEAD", ...DEFAULT_BRANCHES] : [named]);
  if (commits === undefined)
    return { problem: "this folder is in no git repository", next: "name a folder to compare with: rolecall diff DIR" };
  if (named !== undefined) {
    const [commit] = commits;
    if (commit !== undefined) return { commit, name: named, tip: commit };
    return { problem: `git knows no revision \`${named}\``, next: fetchAdvice(dir, named) };
  }
  const [head, ...tips] = commits;
  const found = DEFAULT_BRANCHES.map((name, i) => ({ name, tip: tips[i] })).find(({ tip }) => tip !== undefined);
  if (found?.tip === undefined)
    return { problem: "there is no default branch to compare with", next: "name a revision: rolecall diff REVISION" };
  const { name: branch, tip } = found;
  const commit = head === tip ? tip : mergeBaseOf(dir, tip);
  if (commit !== undefined) return { commit, name: `${branch} (${commit.slice(0, 9)})`, tip };
  return { problem: `this branch and ${branch} have no commit in common here`, next: fetchAdvice(dir, branch) };
}

function mergeBaseOf(dir: string, tip: string): string | undefined {
  const { ok, out } = git(dir, ["merge-base", "HEAD", tip]);
  const commit = out.toString("utf8").trim();
  return ok && commit !== "" ? commit : undefined;
}

/** All names in one question, as every process costs. Undefined: there is no repository. */
function commitsOf(dir: string, names: readonly string[]): (string | undefined)[] | undefined {
  const asked = names.map((name) => (/[\r\n]/.test(name) ? "" : name));
  const input = asked.map((name) => `${name}^{commit}\n`).join("");
  const { ok, out } = git(dir, ["cat-file", "--batch-check=%(objecttype) %(objectname)"], input);
  if (!ok) return undefined;
  const lines = out.toString("utf8").split("\n");
  return asked.map((_, i) => /^commit ([0-9a-f]{40,64})$/.exec(lines[i] ?? "")?.[1]);
}

/** A clone of a part of the history lacks what was before. */
function fetchAdvice(dir: string, name: string): string {
  const isShallow = git(dir, ["rev-parse", "--is-shallow-repository"]).out.toString("utf8").trim() === "true";
  return isShallow
    ? "this clone has a part of the history: git fetch --unshallow"
    : `fetch it: git fetch origin ${name.replace(/^origin\//, "")}`;
}

/** The first of these files, by their paths in the repository, that a commit has. */
export function firstFileAt(dir: string, commit: string, paths: readonly string[]): string | undefined {
  const blobs = blobsOf(
    dir,
    paths.map((path) => `${commit}:${path}`),
  );
  return blobs.find((blob) => blob !== undefined)?.toString("utf8");
}

/** What stands before the project's paths in the repository, as `apps/bot/`; empty where there is none, or no repository. */
export function folderInRepository(dir: string): string {
  const { ok, out } = git(dir, ["rev-parse", "--show-prefix"]);
  return ok ? out.toString("utf8").replace(/\n$/, "") : "";
}

/**
 * Whether what a build reads (`inputs`) is what that commit has, so that nothing has to be compiled to know it. False: it
 * isn't, or that can't be told this way. Git itself isn't asked for what changed: it would run the repository's filters.
 */
export function isAsAt(dir: string, commit: string, inputs: ReadonlySet<string>): boolean {
  const listed = git(dir, ["ls-tree", "-r", "-z", commit, "--", "."]);
  if (!listed.ok) return false;
  let same = 0;
  for (const line of listed.out.toString("utf8").split("\0")) {
    const [, mode, digest, file] = /^(\d+) \S+ (\S+)\t(.*)$/s.exec(line) ?? [];
    if (file === undefined) continue;
    const isInput = inputs.has(file);
    // What is gone, or leads elsewhere, could have been read there.
    if (!isThere(path.join(dir, file), { mode: mode!, digest: digest!, isInput })) return false;
    if (isInput) same++;
  }
  return same === inputs.size;
}

interface Committed {
  readonly mode: string;
  readonly digest: string;
  readonly isInput: boolean;
}

function isThere(file: string, { mode, digest, isInput }: Committed): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (mode === "120000")
    return !isInput && stats?.isSymbolicLink() === true && digestAsGit(readlinkSync(file, "buffer"), digest) === digest;
  if (!mode.startsWith("100") || stats?.isFile() !== true) return false;
  return !isInput || digestAsGit(readFileSync(file), digest) === digest;
}

/** By the algorithm of another one. */
function digestAsGit(bytes: Buffer, { length }: string): string {
  const hash = createHash(length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
