import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";

const MOST_MS = 30_000;
const MOST_BYTES = 1 << 28;

/**
 * What the configuration of a repository would have run or fetched, taken away: it may have come in somebody's archive, or
 * as a folder that is shaped like a repository. Filters stay, so nothing may be asked that reads a file of the working tree.
 */
const HARMLESS = [
  "safe.bareRepository=explicit",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  "core.sshCommand=false",
  "diff.external=",
].flatMap((setting) => ["-c", setting]);

/** A missing object isn't fetched; by a git before 2.45, that no way of fetching is allowed says so. */
const ALONE = {
  LC_ALL: "C",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
};

export interface SaidByGit {
  /** It ended well. */
  readonly ok: boolean;
  readonly isThere: boolean;
  readonly out: Buffer;
  readonly error: string;
}

/** Runs git to ask something: nothing that a repository names runs for it. */
export function git(dir: string, args: readonly string[], input = ""): SaidByGit {
  // Loaded here: it costs every build 3 ms, and few have anything to ask.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout, stderr, error } = spawnSync("git", ["--no-pager", ...HARMLESS, ...args], {
    cwd: dir,
    input,
    timeout: MOST_MS,
    maxBuffer: MOST_BYTES,
    windowsHide: true,
    env: { ...withoutPlaces(process.env), ...ALONE },
  });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const words = String(stderr ?? "").trim();
  return {
    ok: status === 0,
    isThere: code !== "ENOENT",
    out: stdout ?? Buffer.alloc(0),
    error: words === "" && code !== undefined ? `it gives no answer (${code})` : words,
  };
}

/** Settings are its user's; the others say which repository is meant, or what is asked of it: a hook's, or a project's. */
function withoutPlaces(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^git_(?!config_)/i.test(name)));
}

/** `problem` is the end of a sentence, `next` what to do. */
export interface UntoldByGit {
  readonly problem: string;
  readonly next: string;
}

/** What was said without an answer, of a folder in a repository; undefined: it lies in none. */
export function untoldByGit(folder: string, { error, isThere }: SaidByGit): UntoldByGit | undefined {
  if (!isInRepository(realpathSync(folder))) return undefined;
  if (!isThere) return { problem: "there is no git here", next: "install it" };
  const words = error.split("\n", 1)[0]!.replace(/^fatal: /, "");
  const own = /^[ \t]*(git config --global --add safe\.directory .*)$/m.exec(error)?.[1];
  return { problem: `git says: ${words}`, next: own ?? "see to it that git gives an answer there" };
}

/** One that git doesn't take for such, or isn't let into, is one. */
function isInRepository(folder: string): boolean {
  try {
    if (lstatSync(path.join(folder, ".git"), { throwIfNoEntry: false }) !== undefined) return true;
  } catch {
    return true;
  }
  const above = path.dirname(folder);
  return above !== folder && isInRepository(above);
}
