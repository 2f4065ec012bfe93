import type { Artifact } from "../../compiler/4-artifacts/types.ts";

/** The whole text of a file to be, or the lines of a block. */
export function textOf(artifact: Artifact): string {
  if ("text" in artifact) return artifact.text;
  return "chunks" in artifact ? [...artifact.chunks].join("") : artifact.block.join("\n");
}
