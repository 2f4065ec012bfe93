import type { DocumentProblem } from "./problem.ts";

/** What bounds a document, so that no file makes a build hang or run out of memory. */

/** In UTF-16 code units; about 8 MB. */
export const longestText = 8_000_000;
/** Levels of lists and maps. */
export const deepestNesting = 100;
/** Values that all aliases of a document stand for together. */
export const mostAliased = 100_000;

export const tooLong: DocumentProblem = {
  code: "source/too-large",
  at: [0, 1],
  problem: `it is longer than ${longestText / 1_000_000} MB`,
  help: "split it into several files; all of them together are one program",
};

export const tooLongValue: DocumentProblem & { readonly problem: string; readonly help: string } = {
  code: "source/too-large",
  at: [0, 1],
  problem: "one of its values is too long to be read",
  help: "look for a text of megabytes, perhaps one whose closing quote is missing",
};

export function tooDeep(at: number): DocumentProblem {
  return {
    code: "source/too-large",
    at: [at, at + 1],
    problem: `it is nested more than ${deepestNesting} levels deep`,
    help: "nothing in the language needs more than ten levels: look for brackets or dashes that were repeated by mistake",
  };
}

export function tooManyAliased(at: readonly [number, number]): DocumentProblem {
  return {
    code: "source/too-large",
    at,
    problem: `its aliases stand for more than ${mostAliased} values`,
    help: "write what is meant instead of repeating it with aliases",
  };
}
