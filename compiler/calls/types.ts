import type { JsonValue } from "../base/json.ts";

/**
 * One call as a record's line tells it, whoever wrote the line. Every text in it is a stranger's: names may be whatever a
 * model made up. What a line doesn't say is undefined, or empty where it is a name.
 */
export interface Call {
  /** As written; empty when the line has none. */
  readonly at: string;
  readonly role: string;
  /** Whose credential it came with, where it came over HTTP. */
  readonly caller: string | undefined;
  readonly server: string;
  readonly tool: string;
  readonly args: JsonValue;
  readonly ending: Ending;
  readonly ms: number | undefined;
  /** How often it was sent again. */
  readonly retries: number;
  readonly ask: "yes" | "no" | "none" | undefined;
  /** Who answered. */
  readonly by: string | undefined;
  /** The digest of the pinned tool. */
  readonly plan: string | undefined;
  readonly resultBytes: number;
  readonly error: string;
  /** Of an error of ours, else empty. */
  readonly code: string;
}

/**
 * `failed`: the server answered that it didn't work. `unavailable`: it gave no answer. `refused`: it was never asked.
 * `stopped`: the caller cancelled, his own time was over, or the session was closed; that says nothing about the server.
 */
export type Ending = "ok" | "failed" | "refused" | "rate-limited" | "unavailable" | "stopped";

/** Figures of some calls: of all, of one server, role or tool. Whoever makes one goes on counting in it. */
export interface Figures {
  readonly calls: number;
  readonly errors: number;
  readonly refused: number;
  readonly rateLimited: number;
  readonly unavailable: number;
  /** Calls that reached the server, or would have: `ok`, `failed` and `unavailable` ones. */
  readonly reaching: number;
  readonly retries: number;
  readonly resultBytes: number;
  readonly times: Times;
}

/** Of calls whose line has a duration. Undefined: no line had one. */
export interface Times {
  readonly average: number | undefined;
  /** The smallest duration that so many of the calls didn't exceed: 0.95. */
  quantile(share: number): number | undefined;
  /** How far a quantile may be off, as a share of it: 0 while the calls are few enough to remember each. */
  readonly error: number;
}

export interface Named extends Figures {
  readonly name: string;
}

export interface CalledTool extends Named {
  readonly server: string;
}

/** Groups by name, most calls first. What came when there were too many names already is in `others`. */
export interface Groups<Group> {
  readonly named: readonly Group[];
  readonly others: number;
}

export interface CallsSummary {
  readonly all: Figures;
  readonly servers: Groups<Named>;
  readonly roles: Groups<Named>;
  readonly tools: Groups<CalledTool>;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly slow: Slow;
}

export interface Slow {
  /** Longer than a second. */
  readonly count: number;
  /** The ten slowest of all calls, slowest first. */
  readonly calls: readonly Call[];
}

/** What a search for misuse needs. */
export interface Audit {
  readonly asked: Events<Call>;
  readonly refused: Events<Call>;
  readonly climbing: Events<Climbing>;
  /** Tools that change something, by their pinned hints or else by words of their names: who called them, most calls first. */
  readonly changing: readonly Changing[];
}

/** The newest of them, oldest first, and how many there are. */
export interface Events<Event> {
  readonly count: number;
  readonly newest: readonly Event[];
}

/** An argument that goes up out of a folder. */
export interface Climbing {
  readonly call: Call;
  readonly argument: string;
  readonly value: string;
}

export interface Changing {
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly by: "hints" | "name";
  readonly calls: number;
  readonly errors: number;
}
