import { createHash } from "node:crypto";
import { lstatSync, readlinkSync } from "node:fs";
import path from "node:path";
import { digestOfBytes, readPlain } from "../bytes.ts";
import type { Memory } from "../remember/memory.ts";
import { git, untoldByGit } from "./ask-git.ts";
import { historyAdvice, unknownRevisionAdvice } from "./revision-advice.ts";

/**
 * Blobs as git has them, in the order asked: a name is a digest, or as `HEAD:./path`. Undefined: there is none. Fewer than
 * were asked for: of the others git gives no answer.
 */
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
  /** Where the default branch is by now, where it was looked for. */
  readonly tip: string | undefined;
}

/** `problem` is a sentence, `next` what to type. */
export interface NoRevision {
  readonly problem: string;
  readonly next: string;
}

/** In full: anybody may push a tag `origin/HEAD`, and git takes tags first. */
const DEFAULT_BRANCHES = [
  "refs/remotes/origin/HEAD",
  "refs/remotes/origin/main",
  "refs/remotes/origin/master",
  "refs/heads/main",
  "refs/heads/master",
];

/** A revision by its name, or where this branch left the default one. */
export function revisionOf(dir: string, named: string | undefined): Revision | NoRevision {
  const commits = commitsOf(dir, named === undefined ? ["HEAD", ...DEFAULT_BRANCHES] : [named]);
  if (commits === undefined)
    return (
      untoldByGit(dir, git(dir, ["rev-parse", "--git-dir"])) ?? {
        problem: "this folder is in no git repository",
        next: "name a folder to compare with: rolecall diff DIR",
      }
    );
  if (named !== undefined) {
    const several = meaningsOf(dir, named);
    if (several.length > 1)
      return { problem: `\`${named}\` is ${several.join(" and ")}`, next: `name one in full: ${several.at(-1)}` };
    const [commit] = commits;
    if (commit !== undefined) return { commit, name: named, tip: undefined };
    return { problem: `git knows no revision \`${named}\``, next: unknownRevisionAdvice(dir, named) };
  }
  const [head, ...tips] = commits;
  const found = DEFAULT_BRANCHES.map((name, i) => ({ name, tip: tips[i] })).find(({ tip }) => tip !== undefined);
  if (found?.tip === undefined)
    return { problem: "there is no default branch to compare with", next: "name a revision: rolecall diff REVISION" };
  const branch = found.name.replace(/^refs\/(?:remotes|heads)\//, "");
  const { tip } = found;
  const commit = head === tip ? tip : mergeBaseOf(dir, tip);
  if (commit !== undefined) return { commit, name: `${branch} (${commit.slice(0, 9)})`, tip };
  return { problem: `this branch and ${branch} have no commit in common here`, next: historyAdvice(dir) };
}

/** What git could take a name for, where the commits differ. `HEAD` is always what is checked out. */
function meaningsOf(dir: string, named: string): string[] {
  const [name = ""] = named.split(/[~^:]|@\{/, 1);
  if (name === "" || name === "HEAD") return [];
  const full = ["", "tags/", "heads/", "remotes/"].map((kind) => `refs/${kind}${name}`);
  const commits = commitsOf(dir, full) ?? [];
  const known = full.filter((_, i) => commits[i] !== undefined);
  return new Set(commits.filter((one) => one !== undefined)).size > 1 ? known : [];
}

/**
 * Where the branch is by now that a revision was taken from: the default one, where it has that revision and not yet what is
 * checked out; else the revision itself.
 */
export function tipOf(dir: string, revision: Revision): Revision {
  if (revision.tip !== undefined) return { ...revision, commit: revision.tip };
  const [head, ...branches] = commitsOf(dir, ["HEAD", ...DEFAULT_BRANCHES]) ?? [];
  const tip = branches.find((one) => one !== undefined);
  if (head === undefined || tip === undefined) return revision;
  const isTaken = (commit: string): boolean => git(dir, ["merge-base", "--is-ancestor", commit, tip]).ok;
  const isBehind = isTaken(revision.commit) && (head === revision.commit || !isTaken(head));
  return isBehind ? { ...revision, commit: tip } : revision;
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

/** Whether a commit has something of that path below the project's folder: a file, a link, a folder. True: or that can't be told. */
export function isThereAt(dir: string, commit: string, path: string): boolean {
  const { ok, out } = git(dir, ["ls-tree", "-z", commit, "--", path]);
  return !ok || out.length > 0;
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
 * `asGit`: for the digest of a file's bytes, git's.
 */
export function isAsAt(
  dir: string,
  commit: string,
  inputs: ReadonlyMap<string, string>,
  asGit: Omit<Memory<string>, "save">,
): boolean {
  const listed = git(dir, ["ls-tree", "-r", "-z", commit, "--", "."]);
  if (!listed.ok) return false;
  let same = 0;
  for (const line of listed.out.toString("utf8").split("\0")) {
    const [, mode, digest, file] = /^(\d+) \S+ (\S+)\t(.*)$/s.exec(line) ?? [];
    if (file === undefined) continue;
    const content = inputs.get(file);
    // What is gone, or leads elsewhere, could have been read there.
    if (!isThere(path.join(dir, file), { mode: mode!, digest: digest!, content }, asGit)) return false;
    if (content !== undefined) same++;
  }
  return same === inputs.size;
}

interface Committed {
  readonly mode: string;
  readonly digest: string;
  /** Of what a build read: the digest of its bytes. */
  readonly content: string | undefined;
}

function isThere(file: string, { mode, digest, content }: Committed, asGit: Omit<Memory<string>, "save">): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (mode === "120000")
    return (
      content === undefined &&
      stats?.isSymbolicLink() === true &&
      digestAsGit(readlinkSync(file, "buffer"), digest) === digest
    );
  if (!mode.startsWith("100") || stats?.isFile() !== true) return false;
  if (content === undefined || asGit.recall(content) === digest) return true;
  const bytes = readPlain(file, Infinity);
  if (bytes === undefined || digestAsGit(bytes, digest) !== digest) return false;
  // It may have become another file since the look at it.
  if (digestOfBytes(bytes) === content) asGit.remember(content, digest);
  return true;
}

/** By the algorithm of another one. */
function digestAsGit(bytes: Buffer, { length }: string): string {
  const hash = createHash(length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
