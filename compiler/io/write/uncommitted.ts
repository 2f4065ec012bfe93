import path from "node:path";
import { readPlain, withoutCarriageReturns } from "../bytes.ts";
import { blobsOf } from "../read/git.ts";

/** Of these files the ones that git hasn't as they lie there, or all where there is no git: what is overwritten of them is gone. */
export function uncommitted(dir: string, files: readonly string[]): readonly string[] {
  if (files.length === 0) return files;
  const committed = blobsOf(
    dir,
    files.map((file) => `HEAD:./${file}`),
  );
  return files.filter((file, i) => {
    const [there, kept] = [readPlain(path.join(dir, file)), committed[i]];
    return (
      there === undefined || kept === undefined || !withoutCarriageReturns(there).equals(withoutCarriageReturns(kept))
    );
  });
}
