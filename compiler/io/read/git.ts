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
}

/** `problem` is a sentence, `next` what to type. */
export interface NoRevision {
  readonly problem: string;
  readonly next: string;
}

const DEFAULT_BRANCHES = ["origin/HEAD", "origin/main", "origin/master", "main", "master"];

/** A revision by its name, or where this branch left the default one. */
export function revisionOf(dir: string, named: string | undefined): Revision | NoRevision {
  if (!git(dir, ["rev-parse", "--git-dir"]).ok)
    return { problem: "this folder is in no git repository", next: "name a folder to compare with: rolecall diff DIR" };
  if (named !== undefined) {
    const commit = commitOf(dir, named);
    if (commit !== undefined) return { commit, name: named };
    return { problem: `git knows no revision \`${named}\``, next: fetchAdvice(dir, named) };
  }
  const branch = DEFAULT_BRANCHES.find((one) => commitOf(dir, one) !== undefined);
  if (branch === undefined)
    return { problem: "there is no default branch to compare with", next: "name a revision: rolecall diff REVISION" };
  const { ok, out } = git(dir, ["merge-base", "HEAD", branch]);
  const commit = out.toString("utf8").trim();
  if (ok && commit !== "") return { commit, name: `${branch} (${commit.slice(0, 9)})` };
  return { problem: `this branch and ${branch} have no commit in common here`, next: fetchAdvice(dir, branch) };
}

function commitOf(dir: string, name: string): string | undefined {
  const { ok, out } = git(dir, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
  return ok ? out.toString("utf8").trim() : undefined;
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
