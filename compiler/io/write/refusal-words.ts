const ROOM = { problem: "the disk is full", help: "make room, then build again" };
const RIGHTS = {
  problem: "the system doesn't allow it",
  help: "check the permissions of the file and its folder, then build again",
};

const WORDS: Readonly<Record<string, { readonly problem: string; readonly help: string }>> = {
  ENOSPC: ROOM,
  EDQUOT: { problem: "your share of the disk is full", help: ROOM.help },
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
};

/** What the system's refusal means, and the next step. */
export function refusalWords(error: { readonly code: string }): { readonly problem: string; readonly help: string } {
  return WORDS[error.code] ?? { problem: `the system answers ${error.code}`, help: "mend that, then build again" };
}
