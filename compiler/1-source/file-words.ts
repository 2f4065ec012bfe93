import type { FileProblem } from "./types.ts";

/** What is wrong with a file, and what to do about it. */
export function fileProblem(problem: FileProblem): { readonly problem: string; readonly help: string } {
  return WORDS[problem];
}

const WORDS: Readonly<Record<FileProblem, { problem: string; help: string }>> = {
  missing: { problem: "it isn't there", help: "restore it, or remove what names it" },
  directory: { problem: "it is a folder", help: "put a file in its place, or rename the folder" },
  unreadable: { problem: "the system refuses", help: "check its permissions" },
  "too-large": { problem: "it is larger than 50 MB", help: "split it, or check that it is the right file" },
  outside: {
    problem: "it is a link that leaves the project",
    help: "copy the file into the project; only `guards` may name files outside",
  },
  loop: { problem: "its links go in a circle", help: "remove the link" },
  "not-text": { problem: "it isn't UTF-8 text", help: "save it as UTF-8" },
};
