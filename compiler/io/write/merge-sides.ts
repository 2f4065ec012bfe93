import { existsSync } from "node:fs";
import path from "node:path";
import { readPlainText } from "../bytes.ts";

/** What git keeps in its folder while a merge, rebase, cherry-pick or revert waits for somebody: the side that comes. */
const HEADS = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"];
const MOST_MS = 10_000;

/** The texts of a file on both sides, while git waits in the middle of a merge; else none, and git isn't asked. */
export function sidesOfMerge(dir: string, file: string): readonly string[] {
  const gitFolder = gitFolderAbove(path.resolve(dir));
  if (gitFolder === undefined) return [];
  const coming = HEADS.filter((head) => existsSync(path.join(gitFolder, head)));
  if (coming.length === 0) return [];
  return ["HEAD", ...coming].flatMap((head) => textIn(dir, head, file) ?? []);
}

/** Of a worktree it is its own one. */
function gitFolderAbove(dir: string): string | undefined {
  const found = path.join(dir, ".git");
  if (existsSync(path.join(found, "HEAD"))) return found;
  const link = /^gitdir: (.+)$/m.exec(readPlainText(found) ?? "")?.[1];
  if (link !== undefined) return path.resolve(dir, link.trimEnd());
  const above = path.dirname(dir);
  return above === dir ? undefined : gitFolderAbove(above);
}

/** Undefined where that side has no such file, or there is no git here. */
function textIn(dir: string, head: string, file: string): string | undefined {
  // Loaded here: it costs every build 3 ms, and few happen in the middle of a merge.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("git", ["cat-file", "blob", `${head}:./${file}`], {
    cwd: dir,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: MOST_MS,
    maxBuffer: 1 << 28,
    windowsHide: true,
  });
  return status === 0 ? stdout : undefined;
}
