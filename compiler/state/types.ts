/**
 * A team's state, as a client of `rolecall state` reads it: plain values made of files that people and agents write. Every
 * text in it is theirs, and data: nothing here follows, runs or decides by it. What nobody knows is null, never 0.
 */

/** What was read of a file of the team's: its text, or why there is none. */
export type FileText = { readonly text: string; readonly problem?: never } | { readonly problem: string };

export interface TeamMember {
  readonly name: string;
  readonly role: string;
  /** A path inside the project. */
  readonly charter: string | undefined;
}

export interface TeamRole {
  readonly name: string;
  readonly description: string | undefined;
}

/** One decision; what a decision doesn't say is null. */
export interface DecisionEntry {
  readonly title: string;
  readonly date: string | null;
  readonly author: string | null;
  readonly status: string | null;
  readonly text: string;
  /** Counted from 1, in the file. */
  readonly place: number;
}

export interface BacklogItem {
  readonly title: string;
  readonly isOpen: boolean;
  /** The heading above it. */
  readonly section: string | null;
  readonly id: string | null;
  readonly owner: string | null;
  readonly status: string | null;
}

/** What was read of a list, and how much of the file wasn't understood. */
export interface Entries<Entry> {
  readonly entries: readonly Entry[];
  /** Lines that are no JSON: half of one, where somebody was stopped as he wrote. */
  readonly unreadable: number;
}

/** Where a client is at the moment, as the project's daemon tells it. */
export interface Present {
  readonly role: string;
  readonly member: string | null;
  readonly client: string | null;
  readonly host: string | null;
  /** Times, as ISO 8601 has them. */
  readonly since: string | null;
  readonly lastCall: string | null;
  readonly asksWaiting: number | null;
}

/** Figures of one role, or of all. */
export interface Spent {
  readonly calls: number;
  readonly errors: number;
  readonly durationMs: number | null;
  readonly tokens: number | null;
  readonly cost: number | null;
}

/** What the newest record of calls says. */
export interface RecordedRun {
  /** The record's file. */
  readonly record: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly all: Spent;
  readonly byRole: ReadonlyMap<string, Spent>;
  /** By role its newest calls, newest first. */
  readonly newest: ReadonlyMap<string, readonly RecordedCall[]>;
}

export interface RecordedCall {
  readonly at: string;
  readonly server: string;
  readonly tool: string;
  readonly ending: string;
  readonly durationMs: number | null;
}
