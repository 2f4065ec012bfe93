/** Why the system refuses to write, by its own code. Apart, since a terminal that can't be written to says it too. */
const FULL = { problem: "the disk is full", help: "make room, then build again" } as const;
const RIGHTS = {
  problem: "the system doesn't allow it",
  help: "check the permissions of the file and its folder, then build again",
} as const;

export const refusalCases = {
  ENOSPC: FULL,
  EDQUOT: { problem: "your share of the disk is full", help: FULL.help },
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  EROFS: {
    problem: "the file system is read-only",
    help: "build where files can be written, or ask with --check whether the output is up to date",
  },
  ENAMETOOLONG: { problem: "its name is too long for this system", help: "give the role or server a shorter name" },
  ENOTDIR: { problem: "a file or link stands where a folder is needed", help: "move it away, then build again" },
  EISDIR: { problem: "a folder stands in its place", help: "move it away, then build again" },
  EMFILE: { problem: "too many files are open", help: "close other programs, then build again" },
  ELOCKED: {
    problem: "another build is writing this project",
    help: "wait for it; when none runs, delete .rolecall/lock",
  },
  EMERGE: {
    problem: "git doesn't say what both sides of the merge that waits here had",
    help: "see to it that `git status` gives an answer here, then build again",
  },
  other: { problem: "the system answers {system}", help: "mend that, then build again" },
} as const;
