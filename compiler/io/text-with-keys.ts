import { withKeys } from "../5-artifacts/managed/keys.ts";
import type { ManagedKeys } from "../5-artifacts/types.ts";
import type { BrokenKeys } from "../5-artifacts/managed/types.ts";
import { textOfPath } from "../base/path-text.ts";
import { createReport } from "../diagnostics/report.ts";
import { keyLibraries } from "./libraries.ts";

/** `kept`: keys that stay as they are, since the artifact's give way to them. `problem` is a sentence. */
export type FilledText =
  | { readonly text: string; readonly kept: readonly (readonly string[])[]; readonly problem?: never }
  | { readonly problem: string };

/**
 * A file's text with the keys of an artifact put in and everything else as it was, for programs that keep their files
 * elsewhere than on a disk. No key of an earlier build may be in it, but for those of `ours`. `text` undefined: there is
 * no file yet.
 */
export function textWithKeys(
  text: string | undefined,
  artifact: ManagedKeys,
  ours: readonly (readonly string[])[] = [],
): FilledText {
  const known = new Set(ours.map((at) => textOfPath(at)));
  const { problem, taken, change } = withKeys(text, artifact, known, keyLibraries(), []);
  if (problem !== undefined) return { problem: sentence(artifact.path, problem) };
  if (taken !== undefined) return { problem: `it has a \`${taken[0]?.join(".")}\` already` };
  return { text: change.text ?? "", kept: change.left ?? [] };
}

function sentence(file: string, problem: BrokenKeys): string {
  const report = createReport(() => undefined);
  report.add("output/broken-keys", undefined, { file, ...problem });
  return report.sorted()[0]!.says;
}
