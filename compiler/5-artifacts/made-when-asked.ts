import type { WholeFile } from "./types.ts";

/** A file whose text is made when somebody asks for it, and not at all when nobody does. */
export function madeWhenAsked(path: string, madeFrom: string | undefined, make: () => string): WholeFile {
  return {
    path,
    madeFrom,
    get text() {
      return make();
    },
  };
}
