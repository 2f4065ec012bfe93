import type { JsonValue } from "../base/json.ts";
import type { KeyPath } from "../base/place.ts";

/** A preset that rolecall brings, as far as `add` has to know it. */
export interface KnownPreset {
  readonly name: string;
  readonly kind: "server" | "role";
  /** Packages that it starts. */
  readonly packages: readonly string[];
}

export interface PackageToAdd {
  readonly kind: "package";
  readonly runner: "npx" | "uvx";
  readonly name: string;
  /** As it was typed: a tag or a range too. */
  readonly version: string | undefined;
  readonly isExact: boolean;
}

export type ToAdd =
  | { readonly kind: "preset"; readonly name: string }
  | { readonly kind: "url"; readonly url: string }
  | PackageToAdd;

/** Why not, and what to type instead. */
export interface NotToAdd {
  readonly problem: string;
  readonly next: string;
}

/** A place at which a preset says something else than it did; undefined: nothing. */
export interface ChangedPlace {
  readonly path: KeyPath;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** One that both sides changed, and not alike. */
export interface Conflict extends ChangedPlace {
  readonly mine: JsonValue | undefined;
}
