import type { HostData } from "../base/host-data.ts";
import type { MergedPlace } from "./merged-place.ts";
import type { Place } from "../base/place.ts";
import type { RoleName, ServerName } from "../base/names.ts";
import type { Decision, HostChoice, Plan, PlannedRole, Reason, Server, Tool, Transport } from "../3-plan/types.ts";

/**
 * What one host gets of a plan: never more than the plan gives, and less wherever the host can't hold a restriction.
 * What is left out is named, with the reason. A host's folder writes this down in the host's own form and decides nothing.
 */
export interface FittedPlan<H extends HostFacts = HostFacts, Told = unknown> {
  readonly host: H;
  readonly choice: HostChoice;
  readonly plan: Plan;
  /** The roles that it is for, in the order of the plan; one may have no server. */
  readonly roles: readonly FittedRole<Told>[];
  /** Servers every tool of which is open there to whoever works without a role's agent; sorted. */
  readonly openToOthers: readonly ServerName[];
  /** Undefined: the host has no tools of its own. */
  readonly openTools: OpenTools | undefined;
  /** The host's entry under `hosts`, with what would settle every connection that it can't be told; undefined: there is none. */
  readonly mended: string | undefined;
}

/** The host's own tools, for roles that aren't held to a list of them. */
export interface OpenTools {
  /** Roles that say nothing of them, and roles that say `all`; both have every one. */
  readonly unsaid: readonly RoleName[];
  readonly meant: readonly RoleName[];
  /** Those that do more than read, the gravest first; never empty lists. */
  readonly dangers: readonly { readonly can: Can; readonly names: readonly string[] }[];
}

export interface FittedRole<Told = unknown> {
  readonly name: RoleName;
  readonly role: PlannedRole;
  /** Sorted by name; only servers of which the role is given a tool, or reads something behind. */
  readonly servers: readonly FittedServer<Told>[];
  /** The host's own tools: exact names, `*` for all; undefined when the role doesn't govern them. */
  readonly builtins: readonly string[] | undefined;
  /** Roles that it may hand work to, directly. */
  readonly delegates: readonly RoleName[];
  /** Undefined: all that the plan opens is open, or it is a program of the user's that hands work over. */
  readonly closedDelegation: ClosedDelegation | undefined;
  readonly leftOut: readonly LeftOut[];
  /**
   * All servers that the role is told of there are `rolecall serve` for this role alone, and it may read resources through
   * it: what reads resources there may be open. A session with another role's entry would read what that role may.
   */
  readonly readsThroughGateway?: boolean;
}

/** `Told`: the form in which the host is told of a connection. It is the host's own, and read by its emitter alone. */
export interface FittedServer<Told = unknown> {
  /** Of the project, or `rolecall serve` for the role, as if it were one: each tool there stands for one `behind` it. */
  readonly server: Server;
  /** The first of `connect` that the host can be told. */
  readonly transport: Transport;
  /** The same as the host is told it, with every reference in its own spelling: nobody spells it again. */
  readonly told: Told;
  /** Sorted by name; empty for a role that only reads. */
  readonly tools: readonly FittedTool[];
  /** Of `rolecall serve`: the servers whose resources are read through it, by name; never empty. */
  readonly reads?: readonly Server[];
  /** What its connection is without there. */
  readonly omitted: readonly Omitted[];
}

/** A part of a connection that stays out, since the variable of its `:+` counts as unset. */
export interface Omitted {
  /** For people: "header `Authorization`", "a part of its URL". */
  readonly what: string;
  readonly variable: string;
  /** The project wrote that it counts so. */
  readonly isChosen: boolean;
}

export interface FittedTool {
  readonly tool: Tool;
  /** Whether the host asks: of a tool behind `rolecall serve` it never does, since a person is asked there. */
  readonly effect: "allow" | "ask";
  /** The name that the model sees there. */
  readonly joined: string;
  readonly decision: Decision;
  readonly behind?: Behind;
}

/** The tool of the project that one of `rolecall serve` stands for. */
export interface Behind {
  readonly server: Server;
  readonly tool: Tool;
  /** Why the host can't hold it itself. Left out: the project has chosen that it reaches no server. */
  readonly instead?: Pick<LeftOut, "because" | "why">;
}

/** Handing work over that the plan opens and the host doesn't. */
export interface ClosedDelegation {
  readonly delegates: readonly RoleName[];
  /** For people: completes "since ...". */
  readonly why: string;
  /** What was written that says so; where a role inherits its `delegates`, it leads to the role. */
  readonly cause: Place;
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
  /**
   * The rules that the host can't hold, out of the decisions of these tools: an `ask`, a `where`, a policy, what takes
   * away the others of a server that would have to be whole. Each once; none where no rule is the cause, as with names.
   */
  readonly rules: readonly Reason[];
  /** What was declared that the host can't take, where no rule is the cause: a connection, or the servers whose names it is about. */
  readonly declared: readonly Place[];
  /** Of a connection that the host can't be told: what else could be written for the host. */
  readonly mending?: Mending;
}

/** What is added to the host's entry under `hosts`. */
export interface Mending {
  readonly assume: Readonly<Record<string, "set" | "unset">>;
  readonly without: readonly string[];
}

/** `chosen`: the project keeps the server away by name. */
export type Because =
  | "transport"
  | "limits"
  | "hide"
  | "ask"
  | "conditions"
  | "resources"
  | "references"
  | "name"
  | "clash"
  | "chosen";

/** Something in a host's own form, or why there is no such form: `problem` completes "because it ...". */
export type Spelt<Value> =
  | { readonly value: Value; readonly problem?: never }
  | { readonly problem: string; readonly value?: never };

/** A program that runs agents, and everything that it can and can't hold. How its files look is known to its target alone. */
export interface HostFacts<Told = unknown> extends HostData {
  /** The command that is started, looked up on the PATH. */
  readonly program?: string;
  /** A person opens it; `program`, where there is one, is another way. */
  readonly isEditor?: true;
  /** Roles that a role delegates to work in the same session there: what they need has to be there as well. */
  readonly handsOver?: true;
  /** Of a host that can be told of `rolecall serve`: what its entries are called, and how a role is said in them. */
  readonly served?: {
    /** Entries of all roles stand in one place there, so each has its role in its name. */
    readonly together?: true;
    /** A variable that the start sets to the role: one entry is for all of them. */
    readonly roleVariable?: string;
    /** While a person is asked its client comes again by itself, and its time-out is for all of that together. */
    readonly comesAgain?: true;
  };
  /** The kinds of connection that it can be told; left out: all. */
  transports?(choice: HostChoice): readonly Transport["kind"][];
  /** Why a server that is restricted for everybody has to stay away: it has no place for such a restriction. Completes "because ...". */
  keepsAway?(server: Server): string | undefined;
  /** Its files hold no connection, or every one as it is written: whoever reads them expands and chooses as the runtime does. */
  readonly takesAsWritten?: true;
  readonly abilities: Abilities;
  /** Left out: it has no tools of its own. */
  readonly ownTools?: OwnTools;
  readonly kept: KeptNames;
  /** The name that the model sees: the host's own joining and sanitising. */
  joinedName(server: string, tool: string): string;
  /** A way to reach a server as the host is told it. Asked once of each way; what it says is kept in the fitted server. */
  tell(transport: Transport, choice: HostChoice): Spelt<Told>;
  /** What it would put something else in place of in such a text of a role, and can't be told not to. Left out: nothing. */
  replacedIn?(text: string, of: "prompt" | "description"): Replaced | undefined;
  /** Where it finds names beside those that we write, and joins what stands there under one of ours with it. */
  readonly merges?: readonly MergedPlace[];
  /** How a role is started there, after a build. */
  start(of: StartedRole): Start;
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
  /** An entry in a file of a person's own, which the start puts in: with paths of the machine, so no build writes it. */
  readonly entry?: StartEntry;
  /** What a person does there, as the rest of a sentence. */
  readonly byHand?: string;
  /** What a program of the user's writes. */
  readonly code?: string;
}

/** A process of rolecall that a host starts wherever it likes. */
export interface StartEntry {
  readonly file: string;
  /** By system: the variable that says where a person's folders are, and the host's below it. */
  readonly folders: Readonly<Record<"darwin" | "win32" | "others", readonly [variable: string, folder: string]>>;
  readonly key: string;
  readonly name: string;
  /** Of rolecall; the project's folder is put behind them. */
  readonly args: readonly string[];
  /** What a person does then, as the rest of a sentence. */
  readonly then: string;
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
  /** What its lists take for the end of a name: a tool that has it in its name would be another one there, or several. */
  readonly splitsNames?: RegExp;
}

/** Names that mean something else on a host, as its pages have them and as they were seen. */
export interface KeptNames {
  /** The version or the pages. */
  readonly seenIn: string;
  /** Its own servers, and its sets of tools: whatever stands before a tool's name. In any case, `_` as `-`. */
  readonly servers: readonly string[];
  /** Names of tools, whichever server has them. */
  readonly tools: readonly string[];
  /** Names as it joins them, beside those of its own tools: spellings and tools of other versions. One may end in `*`. */
  readonly joined: readonly string[];
  /**
   * Keys of its permissions that are no tools. It decides by them itself, and shows a tool so called whatever a rule says:
   * a server that has one stays away as a whole.
   */
  readonly settings: readonly string[];
}

/** A host's own tools, as they were seen; what `builtins` may name. */
export interface OwnTools {
  /** The version in which they were seen, or the pages that list them. */
  readonly seenIn: string;
  /** Those that run commands, in this version or another one, in lower case: a role that holds one can do what any tool does. */
  readonly shells?: readonly string[];
  /** Who may find others: completes "it has others ...". Left out: nobody was seen to. */
  readonly varies?: string;
  /** The best known first, of each kind. */
  readonly tools: ReadonlyMap<string, Can>;
  /** Names that belong to another one there: a list that holds the second gives the first. */
  readonly under?: ReadonlyMap<string, string>;
}

/**
 * The gravest of what a tool can do. `keeps`: it keeps the session's own affairs, such as a list of tasks, and touches
 * nothing else. Those that hand work on or read resources are closed, whatever `builtins` say.
 */
export type Can = "runs" | "writes" | "reaches out" | "reads" | "keeps" | "hands work on" | "reads resources";

export interface Ability {
  /** `asked`: the host puts the question. `none`: what needs it is left out. */
  readonly holds: "enforced" | "asked" | "none";
  /** What a user should know all the same: a flag that switches it off, a place where it doesn't hold. */
  readonly but?: string;
  /**
   * What `but` says leaves more open than the roles hold, so ACCESS.md says it. `others`: every tool of the servers that are
   * written is open to whoever works there without a role's agent, so the build says it too. `beside`: servers or tools of
   * the user's own stay beside a role's.
   */
  readonly leavesOpen?: "others" | "beside";
}
