import type * as Yaml from "yaml";
import type { JsonValue } from "../base/json.ts";
import type { KeyPath } from "../base/place.ts";

/** One change to what a source says. Whatever else stands in the text stays, byte for byte. */
export type SourceEdit =
  /** A new entry. Maps that are missing on the way are made. */
  | { readonly kind: "add"; readonly path: KeyPath; readonly value: JsonValue }
  /** A new last item of the list at `path`. */
  | { readonly kind: "append"; readonly path: KeyPath; readonly value: JsonValue }
  /** The entry or item goes, with the comment on its own line. Those above it stay. */
  | { readonly kind: "remove"; readonly path: KeyPath }
  /** Something else in place of what the entry or item holds. */
  | { readonly kind: "replace"; readonly path: KeyPath; readonly value: JsonValue };

/**
 * `shared`: an anchor, an alias or a tag on the way, so that a change would be one elsewhere too. `no-map`, `no-list`:
 * something else stands there. `taken`: there is such an entry. `missing`: there is none. `unsafe`: after the change the
 * text wouldn't say exactly what was meant.
 */
export type EditProblem = "unreadable" | "shared" | "no-map" | "no-list" | "taken" | "missing" | "unsafe";

export type Edited =
  | { readonly text: string; readonly problem?: never }
  | { readonly problem: EditProblem; readonly path: KeyPath; readonly text?: never };

export type YamlLibrary = Pick<typeof Yaml, "parseDocument" | "isAlias" | "isMap" | "isScalar" | "isSeq">;

/** A part of the text, and what stands there instead. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
