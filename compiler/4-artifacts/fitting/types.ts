import type { RoleName } from "../../base/names.ts";
import type { Decision, HostChoice, Plan, PlannedRole, Server, Tool, Transport } from "../../3-plan/types.ts";
import type { Artifact } from "../types.ts";

/**
 * What one host gets of a plan: never more than the plan gives, and less wherever the host can't hold a restriction.
 * What is left out is named, with the reason. A host's folder writes this down in the host's own form and decides nothing.
 */
export interface FittedPlan {
  readonly host: Host;
  readonly choice: HostChoice;
  readonly plan: Plan;
  /** The roles that it is for, in the order of the plan; one may have no server. */
  readonly roles: readonly FittedRole[];
}

export interface FittedRole {
  readonly name: RoleName;
  readonly role: PlannedRole;
  /** Sorted by name; only servers of which the role is given a tool. */
  readonly servers: readonly FittedServer[];
  /** The host's own tools: exact names, `*` for all; undefined when the role doesn't govern them. */
  readonly builtins: readonly string[] | undefined;
  /** Roles that it may hand work to, directly. */
  readonly delegates: readonly RoleName[];
  /** Undefined: all that the plan opens is open, or it is a program of the user's that hands work over. */
  readonly closedDelegation: ClosedDelegation | undefined;
  readonly leftOut: readonly LeftOut[];
}

export interface FittedServer {
  readonly server: Server;
  /** The first of `connect` that the host can be told. */
  readonly transport: Transport;
  /** Sorted by name, never empty. */
  readonly tools: readonly FittedTool[];
}

export interface FittedTool {
  readonly tool: Tool;
  readonly effect: "allow" | "ask";
  /** The name that the model sees there. */
  readonly joined: string;
  readonly decision: Decision;
}

/** Handing work over that the plan opens and the host doesn't. */
export interface ClosedDelegation {
  readonly delegates: readonly RoleName[];
  /** For people: completes "since ...". */
  readonly why: string;
}

/** Something that the plan gives and the host doesn't get. */
export interface LeftOut {
  readonly server: Server;
  /** The tools that stay away: all that the role holds there when the whole server does. */
  readonly tools: readonly Tool[];
  readonly wholeServer: boolean;
  readonly because: Because;
  /** For people: completes "because ...", in the host's own terms. */
  readonly why: string;
}

export type Because = "hide" | "ask" | "conditions" | "resources" | "references" | "name" | "clash";

/** A program that runs agents. Everything that it can and can't hold is data here; `emit` is only a matter of form. */
export interface Host {
  readonly id: HostChoice["id"];
  readonly title: string;
  /** The command that is started, looked up on the PATH. */
  readonly program?: string;
  /** A person opens it; `program`, where there is one, is another way. */
  readonly isEditor?: true;
  /** Roles that a role delegates to work in the same session there: what they need has to be there as well. */
  readonly handsOver?: true;
  /** Its files hold no connection, or every one as it is written: whoever reads them expands and chooses as the runtime does. */
  readonly takesAsWritten?: true;
  readonly abilities: Abilities;
  /** The name that the model sees: the host's own joining and sanitising. */
  joinedName(server: string, tool: string): string;
  /** Why the host can't be told of this way to reach a server; undefined when it can. */
  cannotReach(transport: Transport, choice: HostChoice): string | undefined;
  /** What it would put something else in place of in such a text of a role, and can't be told not to. Left out: nothing. */
  replacedIn?(text: string, of: "prompt" | "description"): Replaced | undefined;
  /** A file of the project's that it puts above ours: what stands under `key` there for a server of ours would win. */
  readonly overruledBy?: { readonly file: string; readonly key: string };
  /** How a role is started there, after a build. */
  start(of: StartedRole): Start;
  emit(fitted: FittedPlan): Iterable<Artifact>;
}

export interface StartedRole {
  readonly role: string;
  /** The project's folder of sources: what hosts are handed lies in `<folder>/hosts`. */
  readonly folder: string;
  /** The project's name, in characters that mean nothing to a shell or a file system. */
  readonly project: string;
}

/** The one truth for the line that `rolecall hosts` shows and for what `rolecall start` does. Left out: there is no way. */
export interface Start {
  /** How the host's `program` is started, without a shell, in the project's folder. */
  readonly run?: StartCommand;
  /** What a person does there, as the rest of a sentence. */
  readonly byHand?: string;
  /** What a program of the user's writes. */
  readonly code?: string;
}

export interface StartCommand {
  /** A file of ours that has to lie in a person's own folder of the host: where `variable` says, else below the home. */
  readonly copied?: { readonly file: string; readonly as: string; readonly variable: string; readonly folder: string };
  readonly env?: readonly (readonly [name: string, value: StartText])[];
  readonly args: readonly StartText[];
}

/** Text as it is, or the text of a file of ours, without the line breaks at its end. */
export type StartText = string | { readonly textOf: string };

/** A part of a text, and how to write it otherwise. */
export interface Replaced {
  readonly part: string;
  readonly help: string;
}

/** What the host holds, as it was observed on the running host. The words go to `rolecall hosts` and ACCESS.md. */
export interface Abilities {
  /** A tool that isn't given can't be seen or called. */
  readonly hide: Ability;
  /** A tool that is asked gets the host's own question. */
  readonly ask: Ability;
  /** A `where` is judged before a call. */
  readonly conditions: Ability;
  /** A server's resources are closed along with its tools. */
  readonly resources: Ability;
  /** Work can't be handed to an agent that holds more. */
  readonly delegation: Ability;
  /** The host's own tools can be held to the names that a role writes under `builtins`. */
  readonly builtins: Ability;
  /** What an unset variable becomes there. */
  readonly references: Ability;
  /** A tool whose definition changed is refused. */
  readonly pins: Ability;
  /** Which limits reach the host; the others are held by the runtime alone. */
  readonly limits: Ability;
  /** False: one set of files for whoever works there, so the project says for which role. */
  readonly roles: boolean;
  /** It hears of every tool of a server and filters by the name that the model sees: two of one name are one to it. */
  readonly filtersByName: boolean;
  /** Longer names are cut or dropped there. */
  readonly longestName: number | undefined;
  /** Names of tools that mean something else there, whichever server has them. */
  readonly keptNames?: readonly string[];
  /** Its own tools that hand work to agents which may hold more, or read resources: closed, whatever `builtins` say. */
  readonly closedTools?: readonly string[];
}

export interface Ability {
  /** `asked`: the host puts the question. `none`: what needs it is left out. */
  readonly holds: "enforced" | "asked" | "none";
  /** What a user should know all the same: a flag that switches it off, a place where it doesn't hold. */
  readonly but?: string;
}
