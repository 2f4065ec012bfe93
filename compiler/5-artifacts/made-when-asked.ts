import type { WholeFile } from "./types.ts";

/** A file whose text is made when somebody asks for it, and not at all when nobody does. */
export function madeWhenAsked(path: string, fingerprint: string | undefined, make: () => string): WholeFile {
  return {
    path,
    fingerprint,
    get text() {
      return make();
    },
  };
}
