import path from "node:path";
import { readPlain, withoutCarriageReturns } from "../bytes.ts";

const MOST_MS = 10_000;

/** Of these files the ones that git hasn't as they lie there, or all where there is no git: what is overwritten of them is gone. */
export function uncommitted(dir: string, files: readonly string[]): readonly string[] {
  if (files.length === 0) return files;
  const committed = committedTexts(dir, files);
  return files.filter((file, i) => {
    const [there, kept] = [readPlain(path.join(dir, file)), committed[i]];
    return (
      there === undefined || kept === undefined || !withoutCarriageReturns(there).equals(withoutCarriageReturns(kept))
    );
  });
}

/**
 * As the last commit has them, in the order asked. Blobs are asked for by name: that runs no filter and no hook of the
 * repository's, as comparing with the work tree would.
 */
function committedTexts(dir: string, files: readonly string[]): (Buffer | undefined)[] {
  // A line break in a name would be a question more.
  if (files.some((file) => file.includes("\n"))) return [];
  // Loaded here: it costs every build 3 ms, and few have anything to ask.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("git", ["cat-file", "--batch"], {
    cwd: dir,
    input: files.map((file) => `HEAD:./${file}\n`).join(""),
    stdio: ["pipe", "pipe", "ignore"],
    timeout: MOST_MS,
    maxBuffer: 1 << 28,
    windowsHide: true,
  });
  return status === 0 ? blobsIn(stdout, files.length) : [];
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
