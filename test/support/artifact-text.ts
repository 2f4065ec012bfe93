import type { Artifact } from "../../compiler/5-artifacts/types.ts";

/** The whole text of a file to be, the lines of a block, or keys as JSON. */
export function textOf(artifact: Artifact): string {
  if ("text" in artifact) return artifact.text;
  if ("chunks" in artifact) return [...artifact.chunks].join("");
  return "block" in artifact ? artifact.block.join("\n") : JSON.stringify(artifact.keys);
}
