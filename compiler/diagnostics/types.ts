import type { Span } from "../base/place.ts";

/**
 * What rolecall has to say about a project. An error stops the build, a warning and a note don't.
 * A diagnostic is finished text with its place resolved; renderers print it and add nothing.
 */
export type Severity = "error" | "warning" | "note";

/** One entry of the catalogue. `{slot}` in `says` and `help` is filled by the report. */
export interface CatalogueEntry {
  readonly severity: Severity;
  /** Lower case, no full stop, one line, what the user wrote in backticks. */
  readonly says: string;
  /** The next step. Of several, the first whose slots all have a value; none when there is none. */
  readonly help?: string | readonly string[];
  /**
   * For a code that says one of several fixed things: the texts of slots, by the name of the case. Whoever reports the code
   * names the case; the slots in these texts are filled too.
   */
  readonly cases?: Readonly<Record<string, FixedTexts>>;
  /** For `rolecall explain <code>`: why this matters, in a few sentences. */
  readonly why: string;
  /** One step settles all that have the same value in this slot: the first stands for them, and says how many there are. */
  readonly once?: string;
  /** What many have at once, such as a first build: text tells all in one block, each by the value of this slot. */
  readonly together?: string;
  /** `severities:` in rolecall.yaml may change it: never for one about access, secrets or names. */
  readonly adjustable?: true;
}

/** Text by the name of its slot. */
export type FixedTexts = Readonly<Record<string, string>>;

export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly says: string;
  readonly help: string | undefined;
  readonly at: Span | undefined;
  readonly also: readonly RelatedPlace[];
  /** What it is about, where text tells those of its code together. JSON has each. */
  readonly together?: string | undefined;
  /** What is said of one agent host: text has one block a host, with some of it; JSON has all. */
  readonly host?: HostRemarks | undefined;
}

/** `At`: a place while it is reported, a span once it is shown. */
export interface HostRemarks<At = Span> {
  readonly id: string;
  readonly title: string;
  /** A word or two for the kind of thing that is said. */
  readonly label: string;
  readonly remarks: readonly HostRemark<At>[];
  /** What to write for this host; a help is said once for all hosts. */
  readonly next?: string | undefined;
}

/** One thing, and of which roles and names it is true. */
export interface HostRemark<At = Span> {
  /** Sorted; none where it isn't about roles. */
  readonly roles: readonly string[];
  readonly names: readonly string[];
  /** For people, with names in backticks. */
  readonly says: string;
  /** What was written that it comes from: a `where`, an `ask`, a policy, a connection. None where nothing that is written is the cause. */
  readonly causes: readonly At[];
}

export interface RelatedPlace {
  readonly says: string;
  readonly at: Span | undefined;
}
