import type { JsonObject } from "../base/json.ts";
import type { Access } from "../3-plan/access.ts";
import type { ProjectSettings } from "../3-plan/types.ts";
import type { AuthorsWords } from "../diff/authors-words.ts";
import type { RuleTexts } from "../diff/compare-guards.ts";

/**
 * What the gateway holds of one build: finished texts and tables. A client sees nothing but this, whatever the servers
 * behind it say. Rules aren't here: they are in the data that the runtime is given, and judged by it.
 */
export interface Served {
  readonly project: string;
  /** The folder that builds write to. */
  readonly out: string;
  readonly roles: ReadonlyMap<string, ServedRole>;
  /** By host of the project and role, what an entry that names the host gets; any other host gets nothing. */
  readonly hosts: ReadonlyMap<string, ReadonlyMap<string, HostShare>>;
  /** By role, what of its own runs commands, with the host that has it: it could do what is said of such roles. */
  readonly shells: ReadonlyMap<string, readonly string[]>;
  /** By server, its ServerData as JSON text. */
  readonly servers: ReadonlyMap<string, string>;
  /** What `rolecall state` tells of. Undefined in what an older rolecall accepted. */
  readonly state: ServedState | undefined;
  /** Names of variables that the servers' connections refer to, sorted. */
  readonly variables: readonly string[];
  /** What two builds are compared by. */
  readonly access: Access;
  /** By policy and invariant, what it says but for its name, as a digest. Undefined in what an older rolecall accepted. */
  readonly rules?: RuleTexts | undefined;
  readonly settings: ProjectSettings["serve"];
  /** Of what was accepted: what builds left of it since, which opened something too. What they took away waits as well. */
  readonly left?: Served | undefined;
  /** Of what is left: what still counts of the hints that builds took back. */
  readonly words?: AuthorsWords | undefined;
  /** Servers to which nothing goes until a person says yes: they would be reached in another way than was accepted. */
  readonly waits: ReadonlySet<string>;
  /** Then they are all of them, and no yes helps: what was built last can't be read here. */
  readonly isUnread?: true;
}

type StateSettings = ProjectSettings["state"];

/** As the process behind it has it started: what a build moved elsewhere isn't read before a yes. */
export interface ServedState extends Omit<StateSettings, "members"> {
  /** As they count. */
  readonly members: NonNullable<StateSettings["members"]>;
  /** The project lists them; else whoever comes may call himself anything. */
  readonly isListed: boolean;
  readonly roles: readonly { readonly name: string; readonly description: string | undefined }[];
  /** Of its files those that aren't read. */
  readonly closed: readonly TeamFile[];
}

export type TeamFile = "decisions" | "backlog" | "history";

export interface HostShare {
  /** By the names that clients know. */
  readonly tools: ReadonlySet<string>;
  /** These, and what the host is told of itself. */
  readonly given: ReadonlySet<string>;
  /** Servers whose resources the role reads there. */
  readonly reads: readonly string[];
}

export interface ServedRole {
  readonly name: string;
  /** RoleData as JSON text. */
  readonly data: string;
  readonly instructions: string;
  /** Sorted by name. */
  readonly tools: readonly ServedTool[];
  /** Servers of which it may read resources, sorted: which ones is in `data`. */
  readonly reads: readonly string[];
}

export interface ServedTool {
  /** Among all tools of the role; among one server's a tool has its own name. */
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  /** As a client is told of it, but for the name. */
  readonly told: JsonObject;
}
