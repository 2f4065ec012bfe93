const MOST_MS = 30_000;
const MOST_BYTES = 1 << 28;

interface Said {
  /** It ended well. */
  readonly ok: boolean;
  readonly out: Buffer;
  readonly error: string;
}

/** Runs git to ask something: no filter and no hook of a repository runs for what is asked here. */
function git(dir: string, args: readonly string[], input = ""): Said {
  // Loaded here: it costs every build 3 ms, and few have anything to ask.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout, stderr } = spawnSync("git", args, {
    cwd: dir,
    input,
    timeout: MOST_MS,
    maxBuffer: MOST_BYTES,
    windowsHide: true,
    env: { ...process.env, LC_ALL: "C" },
  });
  return { ok: status === 0, out: stdout ?? Buffer.alloc(0), error: String(stderr ?? "").trim() };
}

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

const TEXT = /\.(?:ya?ml|jsonc?|toml|mdx?|markdown|txt)$/i;
const LARGEST = 64 * 2 ** 20;

/** What the project's folder held at a commit: files that a project may read, by path below it. */
export function filesAt(dir: string, commit: string): Record<string, string> | NoRevision {
  const listed = git(dir, ["ls-tree", "-r", "-z", "--long", commit, "--", "."]);
  if (!listed.ok)
    return { problem: `git can't read ${commit.slice(0, 9)}`, next: listed.error.split("\n", 1)[0] ?? "" };
  const entries = listed.out
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const [, mode, digest, size, path] = /^(\d+) blob (\S+) +(\d+)\t(.*)$/s.exec(line) ?? [];
      const isFile = mode === "100644" || mode === "100755";
      return isFile && TEXT.test(path!) && Number(size) <= LARGEST ? [{ digest: digest!, path: path! }] : [];
    });
  const blobs = blobsOf(
    dir,
    entries.map(({ digest }) => digest),
  );
  const texts = entries.flatMap(({ path }, i) => {
    const blob = blobs[i];
    return blob === undefined ? [] : [[path, blob.toString("utf8")] as const];
  });
  return Object.fromEntries(texts);
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
 * isn't, or that can't be told this way.
 */
export function isAsAt(dir: string, commit: string, inputs: ReadonlySet<string>): boolean {
  const options = ["--no-ext-diff", "--no-textconv", "--no-renames", "--name-status", "-z", "--relative"];
  const changed = git(dir, ["-c", "core.fsmonitor=false", "diff", ...options, commit, "--", "."]);
  if (!changed.ok) return false;
  const fields = changed.out.toString("utf8").split("\0");
  for (let i = 0; i + 1 < fields.length; i += 2)
    // What is gone could have been read there, by a glob say.
    if (inputs.has(fields[i + 1]!) || (fields[i] !== "A" && fields[i] !== "M" && TEXT.test(fields[i + 1]!)))
      return false;
  // `H`: git compares it with what lies there, and wasn't told to take it as unchanged.
  const known = git(dir, ["ls-files", "-v", "-z", "--", "."]);
  const compared = new Set(
    known.out
      .toString("utf8")
      .split("\0")
      .flatMap((line) => (line.startsWith("H ") ? line.slice(2) : [])),
  );
  return known.ok && [...inputs].every((file) => compared.has(file));
}
