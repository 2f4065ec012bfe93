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
  case: "long",
  most: String(longestText / 1_000_000),
};

export const tooLongValue: DocumentProblem = { code: "source/too-large", at: [0, 1], case: "value" };

export function tooDeep(at: number): DocumentProblem {
  return { code: "source/too-large", at: [at, at + 1], case: "deep", most: String(deepestNesting) };
}

export function tooManyAliased(at: readonly [number, number]): DocumentProblem {
  return { code: "source/too-large", at, case: "aliases", most: String(mostAliased) };
}
