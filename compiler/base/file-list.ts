import { bearsHeader, HEADER_WITHIN } from "./bears-header.ts";
import { isMarker } from "./conflict-markers.ts";
import { CLOSED_FOLDERS } from "./project-layout.ts";

/**
 * `<out>/files.txt`: whole files that are the build's, and keys of ours in files of the user's (by the text of their
 * path). It is merged line by line and anybody can write it, so it is believed little: a place that no host keeps is
 * nobody's, whatever it says.
 */
export interface FileList {
  readonly files: ReadonlySet<string>;
  readonly keys: KeyList;
}
export type KeyList = ReadonlyMap<string, ReadonlySet<string>>;

export const LIST_NAME = "files.txt";

/** The text below front matter, whose path is empty. */
export const BODY = ".";

/** A text without our header says nothing. */
export function newListOf(text: string): FileList {
  const files = new Set<string>();
  const keys = new Map<string, Set<string>>();
  if (!bearsHeader(text.slice(0, HEADER_WITHIN))) return { files, keys };
  for (const line of text.split(/\r?\n/)) {
    const [file = "", key] = line.split("\t", 2);
    if (isMarker(line) || !isBelow(file)) continue;
    if (key === undefined) files.add(file);
    else keys.set(file, (keys.get(file) ?? new Set()).add(key === BODY ? "" : key));
  }
  return { files, keys };
}

/** The list is a file like any other: a name in it never leads out of the project, nor to what isn't output. */
export function isBelow(file: string): boolean {
  if (file === "" || /[\0-\x1f\\:]/.test(file) || file.startsWith("# ") || file.startsWith("/")) return false;
  return !file.split("/").some((name) => NEVER_BELOW.has(name.toLowerCase()));
}

const NEVER_BELOW: ReadonlySet<string> = new Set(["", ".", "..", ...CLOSED_FOLDERS]);
