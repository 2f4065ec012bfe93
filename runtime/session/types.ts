import type { Clock, EnvLookup, RateLimiter, RuntimeEvent, TeamOptions } from "../api.ts";
import type { Judge } from "../conditions.ts";
import type { ArgumentRule, Effect, JsonValue, ResourceRules } from "../contract.ts";
import type { Link, LinkInfo, LinkResult, OpenLink } from "../link.ts";
import type { ServerData, ToolData } from "../server-data.ts";
import type { Answers } from "./answers.ts";
import type { Breaker } from "./breaker.ts";
import type { Slots } from "./limits.ts";
import type { Recorder } from "./record.ts";
import type { Check, Checks } from "./schemas.ts";
import type { Secrets } from "../secrets.ts";
import type { CallSpan, Telemetry } from "./telemetry.ts";

/**
 * What a team, its servers and its sessions keep while they live. Names of servers and tools are strangers' text: they are
 * keys of maps here and never properties of objects.
 */
export interface TeamState {
  readonly options: TeamOptions;
  readonly clock: Clock;
  /** For durations: it never jumps. */
  elapsed(): number;
  readonly root: string;
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly env: EnvLookup;
  readonly secrets: Secrets;
  readonly recorder: Recorder | undefined;
  readonly answers: Answers;
  readonly closing: AbortController;
  /** Of every role that the team knows: which server's data is where. */
  readonly loaders: Map<string, Loader>;
  readonly loading: Map<Loader, Promise<ServerUse>>;
  readonly loaded: Map<Loader, ServerUse>;
  /** By the text of their data: the same name in two projects is two servers. */
  readonly servers: Map<string, ServerUse>;
  readonly equipment: () => Promise<Equipment>;
  emit(event: RuntimeEvent): void;
  /** Whoever listens to events has heard them. */
  heard(): Promise<void>;
}

export type Loader = () => Promise<{ readonly data: string }>;

/** Loaded when a server is first used, for it costs time. */
export interface Equipment {
  readonly openLink: OpenLink;
  readonly checks: Checks;
  readonly telemetry: Telemetry | undefined;
}

/** One server as all sessions of a team share it. */
export interface ServerUse {
  readonly data: ServerData;
  readonly tools: ReadonlyMap<string, ToolData>;
  readonly notHeld: ReadonlySet<string>;
  readonly equipment: Equipment;
  readonly breaker: Breaker;
  readonly limiter: RateLimiter | undefined;
  readonly slots: Slots;
  readonly links: Set<LinkUse>;
  /** Calls of tools that aren't read-only, counted when they begin and when they end: what was read before is old. */
  writes: number;
  /** In the team's time that never jumps: a write without an answer may be done until then, and nothing is kept. */
  unsettledUntil: number;
  lastFailure: LastFailure | undefined;
  /** A host told of a connection of its own that failed, and of no answer since. */
  hostDown: HostDown | undefined;
}

/** Already masked. */
export interface LastFailure {
  /** For people: others may have written it. */
  readonly said: string;
  /** For models, in words of ours. */
  readonly why: string;
}

/** Both times in the team's that never jumps. */
export interface HostDown {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
  /** Of each session until when its host is kept away: the others' hosts have connections of their own. */
  readonly hosts: WeakMap<SessionState, number>;
}

/** One connection: of all sessions, or of one where the server keeps state. */
export interface LinkUse {
  readonly link: Link;
  /** Of its state, in milliseconds since 1970. */
  since: number;
  /** Of the connection that is up, for its duration. */
  up: { readonly info: LinkInfo; readonly started: number } | undefined;
  /** What paths are relative to, expanded; asked again after each connection, as references are. */
  root: Promise<string | undefined> | { readonly text: string | undefined } | undefined;
}

/** A role's data, parsed. */
export interface RoleTable {
  readonly name: string;
  readonly mustConnect: readonly string[];
  readonly servers: ReadonlyMap<string, RoleServer>;
}

export interface RoleServer {
  readonly load: Loader | undefined;
  readonly tools: ReadonlyMap<string, HeldTool>;
  /** What it may read there; undefined: nothing. */
  readonly resources: ResourceRules | undefined;
}

export interface HeldTool {
  readonly name: string;
  readonly effect: Effect;
  readonly rules: readonly ArgumentRule[];
}

export interface Used {
  readonly use: ServerUse;
  readonly link: LinkUse;
}

export interface SessionState {
  readonly team: TeamState;
  readonly role: RoleTable;
  /** By name. The connection is the team's, or the session's own where the server keeps state. */
  readonly used: Map<string, Used>;
  /** What is known of a held tool once its server's data is there. */
  readonly ready: Map<HeldTool, Entry>;
  /** Servers that a session can't start without and that weren't connected yet: until then nothing is called. */
  readonly awaited: Set<string>;
  /** Values that a host was given. */
  readonly handedOut: Set<string>;
  readonly closing: AbortController;
}

export interface Entry {
  readonly held: HeldTool;
  readonly server: ServerUse;
  readonly link: LinkUse;
  readonly tool: ToolData;
  /** Server and tool, in messages: these are masked as a whole. */
  readonly shown: string;
  readonly checkArguments: Check;
  /** Where the role has conditions for it. */
  readonly judge: Judge | undefined;
  readonly checkResult: Check | undefined;
  /** It only reads. That twice is as once is a server's word, and a yes is for one call: those are left to the caller. */
  readonly repeatable: boolean;
  /** How long its answers are kept; undefined: they aren't. */
  readonly cacheMs: number | undefined;
  /** What is asked in place of a call of a tool. */
  readonly method?: ResourceMethod | undefined;
}

export type ResourceMethod = "resources/read" | "resources/list" | "resources/templates/list";

/** CallOptions, whose signal is a real one: links hand it on. The rest is for a gateway, which calls for others. */
export interface LiveOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Trace context that came with the call, where no span of our own has one. */
  readonly meta?: { readonly [key: string]: string } | undefined;
  /** Hears how far the server says it is. */
  readonly progress?: ((progress: object) => void) | undefined;
  /** Who asked for the call, for the record: as it tells its name, and as its credential does. */
  readonly client?: string | undefined;
  readonly caller?: string | undefined;
  /** Asks for this call in place of the team's. */
  readonly ask?: TeamOptions["ask"];
}

/** The time that a caller gives a call, from its first step on. */
export interface CallDeadline {
  readonly ms: number;
  /** In the team's time that never jumps. */
  readonly at: number;
  over: boolean;
}

/** What is known of a call so far: the record's line is made of it, wherever the call ends. */
export interface Trail {
  server: string;
  tool: string;
  readonly startedAt: number;
  readonly started: number;
  /** Where the caller gave a time. */
  deadline: CallDeadline | undefined;
  /** The one copy that is judged, shown, recorded and sent; frozen. */
  args: JsonValue;
  effect: Effect | undefined;
  /** Once its server's data is there. */
  use: ServerUse | undefined;
  entry: Entry | undefined;
  ask: "yes" | "no" | "none" | null;
  /** Who answered, as the answer said it. */
  by: string | undefined;
  /** On whose behalf a gateway calls, as that client tells its name. */
  client: string | undefined;
  /** By its credential, which it can't choose. */
  caller: string | undefined;
  /** Time that a person took. */
  askedMs: number;
  sent: boolean;
  cached: boolean;
  result: LinkResult | undefined;
  /** Of an error. */
  httpStatus: number | undefined;
  retries: number;
  /** It was sent again because the server had forgotten the session. */
  renewed: boolean;
  /** For a rate limit. */
  waitedMs: number;
  /** A time of the caller's ended it, and the server hadn't had its own. */
  hurried: boolean;
  /** The host calls the server itself, over a connection of which we know nothing. */
  byHost: boolean;
  /** Of what a host got. */
  resultBytes: number | undefined;
  span: CallSpan | undefined;
}
