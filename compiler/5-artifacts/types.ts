import type { JsonValue } from "../base/json.ts";
import type { KeyLibraries } from "./managed/types.ts";

/**
 * A file to be. Artifacts are made one by one and may be large: write each and let it go.
 */
export type Artifact = WholeFile | LargeFile | ManagedBlock | ManagedKeys;

/** A file that is ours alone. `text` ends in a line break and carries the header where the format has comments. */
export interface WholeFile {
  readonly path: string;
  /**
   * Of everything that the text depends on: for one path the same one means the same bytes, and the text needn't be
   * asked for. Undefined: nobody knows.
   */
  readonly fingerprint?: string | undefined;
  readonly text: string;
}

/** The same for a file whose text is better never held in one piece: it is made chunk by chunk, once. */
export interface LargeFile {
  readonly path: string;
  readonly fingerprint?: string | undefined;
  readonly chunks: Iterable<string>;
}

/** A marked block in a file that the user owns; the rest of the file stays as it is, byte for byte. */
export interface ManagedBlock {
  readonly path: string;
  /** Lines between the markers, without them. */
  readonly block: readonly string[];
  /** Starts a comment in this format. */
  readonly comment: "#";
}

/**
 * Keys in a file that the user edits too. Only these are set, and taken out once nothing makes them any more; comments,
 * order and indent of everything else stay. A key that is there already, and that rolecall didn't write, is an error,
 * unless ours gives way to it.
 */
export interface ManagedKeys {
  readonly path: string;
  /** `json` may hold comments; `front-matter` is YAML between two lines `---` at the top of a Markdown file. */
  readonly format: "json" | "front-matter";
  /** In the order in which new ones are put in. In front matter each path has one part, or none: the text below it. */
  readonly keys: readonly ManagedKey[];
  /** Places in the file that are read as sources: no key of ours ever takes one, not even where it says the same. */
  readonly read?: readonly (readonly string[])[];
}

/** The text below front matter has no white space at its ends and LF alone; it is never the only key. */
export interface ManagedKey {
  readonly at: readonly string[];
  readonly value: JsonValue;
  /** What is there already, and rolecall didn't write, stays as it is. */
  readonly givesWay?: boolean;
}

/**
 * Where a chosen host looks, and what a build may have left there for a role that is gone. The list that names what was
 * written lies in `out`: where that was deleted or is called otherwise, a file is known by what it holds alone.
 */
export interface LeftPlace {
  /** The files of this folder that end so; without a folder's name those of the project's folder. */
  readonly folder: string;
  readonly ending: string;
  /** Nobody but a build writes such files. */
  readonly isCertain?: boolean;
  /** `goes`: a build made it, and nobody added to it. `agents`: those in it that open tools, by name; left out where the file is one. Undefined: it is somebody else's. `listed`: keys of the file that a list names, which the build takes out itself. */
  judge(
    file: string,
    text: string,
    about: { readonly libraries: KeyLibraries; readonly listed: ReadonlySet<string> },
  ): Left | undefined;
}

/** `secrets`: the places of those that stand as they are in an entry of a server that sources have. `servers`: what a build wrote or somebody else, and stays: it opens every tool of these, by name. */
export type Left =
  | { readonly goes: true }
  | { readonly goes: false; readonly agents?: string }
  | { readonly goes: false; readonly servers: string }
  | { readonly goes: false; readonly secrets: string };
