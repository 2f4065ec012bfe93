import type { Stats } from "node:fs";

/** By path, for every output that is ours alone: what the file's text was made from, and the digest of that text. What lies there may have other line ends. */
export type Made = ReadonlyMap<string, { readonly fingerprint: string | undefined; readonly digest: string }>;

/** By file of the user's and text of a path: digest of the value that was written, as JSON text. */
export type MadeKeys = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** What a build that does have something to do still needn't read or make. */
export interface EarlierBuild {
  readonly made: Made;
  /** Digest of a file's bytes, where its stats alone prove that they are the ones that were read or written then. */
  digestBy(file: string, stats: Stats): string | undefined;
  /** Digest of what was left at an output's place. */
  left(file: string): string | undefined;
  /** Digest of what was written as one of our keys, by the text of its path. */
  key(file: string, place: string): string | undefined;
}
