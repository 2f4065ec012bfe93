/**
 * Where a host finds names beside those of our files. What stands there under a name of ours is joined with it key by key,
 * or taken in its place: so a name of ours has to be in none of them.
 */
export type MergedPlace = MergedFile | AgentsFolder;

/**
 * `above`: the project's folder, and each above it up to the repository's root; without one the first alone. `top`: each
 * above it, of which a build looks at those of the repository. `local`: a person's own files there, in a linked worktree
 * also those of the main checkout; no build looks at them.
 */
export type MergedIn = "project" | "above" | "top" | "local" | PersonsFolder;

/** Where the variable says, else `otherwise` below the home; `below` is the host's own part of either. */
export interface PersonsFolder {
  readonly variable?: string;
  readonly otherwise: string;
  readonly below?: string;
}

export interface MergedFile {
  readonly in: MergedIn;
  readonly file: string;
  readonly names: readonly NamesAt[];
  readonly settings?: readonly SettingAt[];
}

/** Those of a file that a person has for all projects may say whom to trust: that is theirs. */
export type Variables = "variables" | "own variables";

/** `at`: the map whose keys are the names; nothing for the variables of an `.env`. */
export interface NamesAt {
  readonly of: "servers" | "agents" | Variables;
  readonly at: readonly string[];
  /** Whatever stands there is open to every role, beside its own. */
  readonly isOpen?: true;
}

/** A key of the host's own by which it does otherwise than our files say. One that holds nothing, or an empty list, says nothing. */
export interface SettingAt {
  readonly at: readonly string[];
  readonly undoes: Undone;
  /** The values that do no such thing; every other does, one that nobody knows too. Left out: there is none. */
  readonly unless?: readonly (string | boolean)[];
}

/** `handing over`: that a role without delegates hands no work on. `all`: whatever a role is held to. */
export type Undone = "asks" | "handing over" | "prompt" | "all";

/** Every `*.md` below is an agent, called by `name` of its front matter. `byPath` left out: by nothing else. */
export interface AgentsFolder {
  readonly in: MergedIn;
  readonly folder: string;
  readonly byPath?: NamedByPath;
}

/** How its path from the folder calls it: beside its `name`, or where it has none. */
export interface NamedByPath {
  readonly when: "always" | "nameless";
  /** What stands in a slash's place. */
  readonly slash: string;
  /** The first that it has is no part of the name. */
  readonly endings: readonly string[];
}
