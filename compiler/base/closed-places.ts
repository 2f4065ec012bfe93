import { CLOSED_FOLDERS } from "./project-layout.ts";

/** What some file systems don't see in a name. */
const UNSEEN = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The folder of another program's that a path leads into, on any file system: `.GIT`, `.git.` and `git~1` are `.git` to some. */
export function closedIn(path: string): string | undefined {
  const segments = folded(path).split("/");
  return (
    CLOSED_FOLDERS.find((name) => segments.includes(name)) ??
    (segments.some((one) => /^git~\d+$/.test(one)) ? ".git" : undefined)
  );
}

/** Whether one path lies in another, on a file system that takes capitals, and dots at the end, for nothing. */
export function isBelow(path: string, folder: string): boolean {
  return `${folded(path)}/`.startsWith(`${folded(folder)}/`);
}

function folded(path: string): string {
  return path
    .normalize("NFC")
    .replace(UNSEEN, "")
    .toLowerCase()
    .split("/")
    .map((segment) => segment.replace(/(?<![. ])[. ]+$/, "") || segment)
    .join("/");
}
