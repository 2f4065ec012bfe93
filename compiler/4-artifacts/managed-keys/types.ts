import type * as Jsonc from "jsonc-parser";
import type * as Yaml from "yaml";
import type { JsonValue } from "../../base/json.ts";

/** Loaded by whoever calls, and only when a file can't be read without: most builds change no file of this kind. */
export interface KeyLibraries {
  readonly jsonc: () => Pick<typeof Jsonc, "parseTree" | "createScanner">;
  readonly yaml: () => Pick<typeof Yaml, "parseDocument" | "isAlias" | "isMap" | "isScalar" | "isSeq">;
}

/** The names from the top of the file to a key. */
export type KeyPath = readonly string[];

/** What the last build put into a file. It was read from a list that anybody could have written. */
export interface OwnedKeys {
  /** By the text of the path (`textOfPath`): the digest of the value that was written. */
  readonly keys: ReadonlyMap<string, string>;
  readonly before: Before;
}

/**
 * What stood at a place that holds nothing but keys of ours, by the text of its path; the file itself is the empty text.
 * `null`: nothing, we made it. Otherwise an object without keys, or a file without any text, as the user had spaced it.
 */
export type Before = ReadonlyMap<string, string | null>;

/** A file on its way; undefined: there is none. */
export interface KeyedText {
  readonly text: string | undefined;
  readonly before: Before;
}

/** `problem` completes "it can't be changed: ...". */
export type Looked =
  | { readonly valueAt: (at: KeyPath) => Found; readonly problem?: never }
  | { readonly problem: string; readonly valueAt?: never };

/**
 * `json`: the value as JSON text without spaces, in the order of the file; undefined: nothing is there. `blocked`: on the
 * way there stands something that holds no keys.
 */
export interface Found {
  readonly json?: string | undefined;
  readonly blocked?: KeyPath;
}

/** One form of file. `set` and `remove` are only called for what `look` has found sound. */
export interface KeyFormat {
  look(text: string): Looked;
  set(file: KeyedText, at: KeyPath, value: JsonValue): KeyedText;
  remove(file: KeyedText, at: KeyPath): KeyedText;
}

/** A key at the top of a header with everything that belongs to it, as a part of the header's text. */
export interface Entry {
  readonly key: string;
  readonly start: number;
  /** Behind its last line break. */
  readonly end: number;
  /** As JSON text, in the order of the file. */
  readonly json: string;
}

/** `problem` as in `Looked`. */
export type Entries =
  | { readonly entries: readonly Entry[]; readonly problem?: never }
  | { readonly problem: string; readonly entries?: never };
