import { withKeys } from "../5-artifacts/managed/keys.ts";
import type { ManagedKeys } from "../5-artifacts/types.ts";
import { keyLibraries } from "./libraries.ts";

/** `kept`: keys that stay as they are, since the artifact's give way to them. `problem` completes "it can't be changed: ...". */
export type FilledText =
  | { readonly text: string; readonly kept: readonly (readonly string[])[]; readonly problem?: never }
  | { readonly problem: string };

/**
 * A file's text with the keys of an artifact put in and everything else as it was, for programs that keep their files
 * elsewhere than on a disk. No key of an earlier build may be in it. `text` undefined: there is no file yet.
 */
export function textWithKeys(text: string | undefined, artifact: ManagedKeys): FilledText {
  const { problem, taken, change } = withKeys(text, artifact, new Set(), keyLibraries(), []);
  if (problem !== undefined) return { problem };
  if (taken !== undefined) return { problem: `it has a \`${taken[0]?.join(".")}\` already` };
  return { text: change.text ?? "", kept: change.left ?? [] };
}
