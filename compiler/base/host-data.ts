import { nearest } from "./nearest.ts";

/**
 * What rooms before the fit have to know of a host, as data in the host's own folder: by what names a project may call it,
 * and which files in the project are its own. Nobody else lists hosts: these are handed to whoever asks.
 */
export interface HostData {
  readonly id: string;
  readonly title: string;
  /** Names that people write for it, and that are too far from its id for a guess by letters, or near another one. */
  readonly alsoCalled?: readonly string[];
  /** No agent runs there, so it has no tools of its own that a role could name under `builtins`. */
  readonly isData?: true;
  readonly places?: HostPlaces;
  /** Whether it can be told of `rolecall serve`; `must`: its files can't say which tools of a server a role holds, so it is told of nothing else. Left out: it can't. */
  readonly gateway?: "may" | "must";
  /** What tells that a team works with it: files and folders in the project, or a package that its code imports. */
  readonly signs?: { readonly files?: readonly string[]; readonly package?: string };
  /** Keys of its entry under `hosts` that few hosts know; left out: none. */
  readonly takes?: readonly OwnKey[];
  /** Those of them without which nothing can be written for it. */
  readonly needs?: readonly OwnKey[];
}

/** Keys of entries under `hosts` that few hosts know. */
export const OWN_KEYS = [
  "project",
  "product",
  "transports",
  "issuer",
  "audience",
  "jwks",
  "claim",
  "url",
  "gateway",
] as const;
export type OwnKey = (typeof OWN_KEYS)[number];

/** Paths are relative to the project. Left out: there is no such file. */
export interface HostPlaces {
  /** Files of the user's that builds put keys into, and folders in which they write beside the user: nothing else of ours lies there. */
  readonly shared?: readonly string[];
  /** The folder in which it looks for agents or rules: what stands there is more than a prompt. */
  readonly agents?: string;
  /**
   * Files below `hosts/<id>/` in the folder of sources that have no room for a header: there the name alone says whose they
   * are. `*` stands for a role.
   */
  readonly bare?: readonly string[];
  /** Elsewhere in the project, where other programs write too: these are ours only when the list of what was written has them. */
  readonly listed?: RegExp;
  /**
   * Where a build may take keys out that nothing makes any more. The list of what an earlier build wrote could name
   * anything: outside of these it is believed nothing.
   */
  readonly keyed?: readonly KeyedPlace[];
  /** What may stand under `into`: a file of the team's that gets the host's keys. */
  readonly into?: { readonly file: RegExp; readonly example: string };
}

export interface KeyedPlace {
  readonly file: RegExp;
  readonly format: "json" | "front-matter";
  /** Whole paths as text; never what holds keys of the user's too. The empty one is the text below front matter. */
  readonly keys: RegExp;
  /** Builds write servers there; elsewhere what was the team's is taken out, and the host is started with files of ours. */
  readonly holdsServers?: true;
  /** The files that builds make or write in there, as lists of what formatters pass by have them. */
  readonly written?: string;
}

/** Of these hosts the one that a name was meant for. A slip in a host's own id comes before one in another name for it. */
export function hostMeant(written: string, hosts: readonly HostData[]): string | undefined {
  const others = new Map(hosts.flatMap(({ id, alsoCalled = [] }) => alsoCalled.map((name) => [name, id] as const)));
  const other = others.get(written.toLowerCase());
  if (other !== undefined) return other;
  const near = nearest(
    written,
    hosts.map(({ id }) => id),
  );
  return near ?? others.get(nearest(written, others.keys()) ?? "");
}
