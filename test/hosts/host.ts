import path from "node:path";
import type { Call } from "./dialects.ts";
import type { Ended } from "./bounded-process.ts";

/** A tool of one of the servers. */
export interface ServerTool {
  readonly server: string;
  readonly tool: string;
  /** Through whose entry it would be reached, where roles have one each. */
  readonly role?: string;
  readonly conditioned?: boolean;
}

/** Where a run happens: nothing of the person's own is read or written. */
export interface Place {
  /** The project, with the files that rolecall wrote. */
  readonly folder: string;
  /** An empty home. */
  readonly home: string;
  /** The host's packages: a folder with node_modules. */
  readonly packages: string;
  readonly modelUrl: string;
  readonly timeoutMs: number;
}

export interface Begin {
  readonly role: string;
  readonly prompt: string;
  /** Another role's files, where a name is wrong: else the role's own. */
  readonly filesOf: string;
  /** By `rolecall start` in place of the host's own command. */
  readonly byRolecall?: boolean;
}

/**
 * A host as the battery needs it. What it can't hold is data: the plan's tools that are expected from it are fewer then,
 * never more.
 */
export interface Host {
  readonly id: string;
  /** A host of which this is another way to use it: its packages are the same. */
  readonly installedAs?: string;
  /** Tools are reached through `rolecall serve`: all, or those that it can't hold itself. */
  readonly served?: "all" | "some";
  /** How rolecall.yaml names it; its id when left out. */
  entry?(id: string): string;
  /** Whether a name is one of the servers'; where left out, the beginning of what is shown says it. */
  isOurs?(name: string): boolean;
  /** Exact versions; the first is the host's own. */
  readonly packages: Readonly<Record<string, string>>;
  /** "left-out": the tool isn't offered, since this host can't ask, or can't hold a condition. */
  readonly asks: "asked" | "left-out";
  /** Whether a tool that is asked shows where nobody is there to answer. */
  readonly askedShows: boolean;
  readonly conditions: "held" | "left-out";
  /** "left-out": no switch closes a server's resources, so servers that have some aren't given. "none": it knows none. */
  readonly resources: "closed" | "left-out" | "none";
  /** Servers that it takes for its own, or for its own words, by their names: they stay away. */
  readonly keeps?: readonly string[];
  /** How a model would read a file that lies outside of the project, where the host asks before. */
  outside?(file: string): Call;
  /** What it offers of its own where nothing is written about it, and a role that doesn't govern it should keep. */
  readonly ownTools?: readonly string[];
  /** A server's tool as the model sees it. */
  shown(tool: ServerTool): string;
  /** How a model would read a resource of a server. */
  readResource(server: string): readonly Call[];
  /** How a model would hand a prompt to another agent, and which agents the host brings. */
  handOver(agent: string, prompt: string): Call;
  readonly ownAgents: readonly string[];
  /** "closed": this host can't open delegation to one role alone, so `delegates` opens none. */
  readonly delegation: "opened" | "closed";
  /** Whether a role has a name there, which can be wrong beside the files of another; else the files are the role. */
  readonly rolesByName: boolean;
  /** Puts what somebody else could write under a role's name where the host finds it before ours. */
  overrule?(place: Place, role: string): void;
  /** `rolecall start` starts it, and is tried too. */
  readonly startsByRolecall?: boolean;
  /** Starts a role there, as `rolecall hosts` says, with one prompt and nobody to ask. */
  start(place: Place, begin: Begin): Promise<Ended>;
}

/** What a desktop's session sets, and some hosts hand on to what they start and others don't. */
export function sessionFolders(home: string): Record<string, string> {
  return { XDG_RUNTIME_DIR: path.join(home, "runtime"), XDG_STATE_HOME: path.join(home, "state") };
}

/** The surroundings of every host: no locale, no proxies, no settings of whoever runs the battery. */
export function surroundings(place: Place, more: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: place.home,
    ...sessionFolders(place.home),
    TMPDIR: process.env["TMPDIR"] ?? "/tmp",
    LANG: "C.UTF-8",
    CI: "1",
    NO_COLOR: "1",
    TRACKER_TOKEN: "test-tracker",
    VAULT_TOKEN: "test-vault",
    ...more,
  };
}
