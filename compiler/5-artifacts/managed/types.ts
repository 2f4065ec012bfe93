import type * as Jsonc from "jsonc-parser";
import type * as Yaml from "yaml";
import type { JsonValue } from "../../base/json.ts";

/** Loaded by whoever calls, and only when a file can't be read without: most builds change no file of this kind. */
export interface KeyLibraries {
  readonly jsonc: () => Pick<typeof Jsonc, "parseTree" | "createScanner">;
  readonly yaml: () => Pick<typeof Yaml, "parseDocument" | "isAlias" | "isMap" | "isScalar" | "isSeq">;
}

/** The names from the top of the file to a key. */
export type NamePath = readonly string[];

/** Why keys in a file can't be told from what is around them. `line` counts from 1. */
export type BrokenKeys =
  | { readonly case: "marker" | "conflict" | "bad-json" | "bad-yaml" | "early-end" | "odd-line"; readonly line: string }
  | { readonly case: "no-object" | "open-header" | "deep-header" | "no-list" };

export type LookedInto =
  | { readonly valueAt: (at: NamePath) => FoundValue; readonly problem?: never }
  | { readonly problem: BrokenKeys; readonly valueAt?: never };

/**
 * `json`: the value as JSON text without spaces, in the order of the file; undefined: nothing is there. A key that is
 * there twice has a text that is no JSON. `blocked`: on the way there stands something that holds no keys. `isUnsafe`: it
 * is written so that a reader may take it for something else.
 */
export interface FoundValue {
  readonly json?: string | undefined;
  readonly blocked?: NamePath;
  readonly isUnsafe?: boolean;
}

/** One form of file. `set`, `remove` and `gist` are only called for what `look` has found sound. No text: no file. */
export interface KeyFormat {
  look(text: string): LookedInto;
  set(text: string | undefined, at: NamePath, value: JsonValue): string;
  /**
   * With the key goes what would be left empty: the object around it, the header, the file. Whoever had written an empty
   * one there before doesn't get it back: what was there is noted nowhere.
   */
  remove(text: string, at: NamePath): string | undefined;
  /** Equal for two texts that say the same, comments included. */
  gist(text: string): string;
  /** Where a text begins that holds no keys, whoever reads it; undefined: nowhere, or that can't be told. */
  endOfKeys?(text: string): number | undefined;
  /** Why some reader would take the text, with our keys in it, for another one. */
  flaw?(text: string): BrokenKeys | undefined;
}

/** A key at the top of a header with everything that belongs to it, as a part of the header's text. */
export interface HeaderEntry {
  readonly key: string;
  readonly start: number;
  /** Behind its last line break. */
  readonly end: number;
  /** As JSON text, in the order of the file. */
  readonly json: string;
}

export type HeaderEntries =
  | { readonly entries: readonly HeaderEntry[]; readonly problem?: never }
  | { readonly problem: BrokenKeys; readonly entries?: never };
