/**
 * Where a host finds names beside those of our files. What stands there under a name of ours is joined with it key by key,
 * or taken in its place: so a name of ours has to be in none of them.
 */
export type MergedPlace = MergedFile | AgentsFolder;

/** `above`: the project's folder, and each above it up to the repository's root. */
export type MergedIn = "project" | "above" | PersonsFolder;

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
}

/** `at`: the map whose keys are the names; nothing for the variables of an `.env`. */
export interface NamesAt {
  readonly of: "servers" | "agents" | "variables";
  readonly at: readonly string[];
  /** Whatever stands there is open to every role, beside its own. */
  readonly isOpen?: true;
}

/** Every `*.md` below is an agent, called by `name` of its front matter; without one by its path, or not at all. */
export interface AgentsFolder {
  readonly in: MergedIn;
  readonly folder: string;
  readonly isNamedByPath?: true;
}
