import type { KeyPath } from "./types.ts";

/** A path as files.json has it: its parts with `/` between them, `~1` for a slash in a part and `~0` for a tilde. */
export function textOfPath(at: KeyPath): string {
  return at.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
}

export function pathOfText(text: string): KeyPath {
  return text === "" ? [] : text.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
