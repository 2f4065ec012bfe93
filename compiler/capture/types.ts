import type { Diagnostic } from "../diagnostics/types.ts";
import type { AccessChange } from "../3-plan/compare-access.ts";
import type { Redact } from "../live-server/redact.ts";
import type { ServerFailure, TransportKind, TriedTransport } from "../live-server/types.ts";
import type { ManifestChanges } from "./compare-manifests.ts";
import type { Suspicion } from "./poison.ts";

/**
 * What capture found out about a server, as data: the answer against the pinned manifest, and what it would mean for the
 * roles. Texts of a server in it are as sent: each is shown with the `redact` of its server and `visible` alone.
 */
export type Captured = CapturedBase & (GoodAnswer | NoAnswer | BadAnswer);

interface CapturedBase {
  readonly server: string;
  readonly pin: string;
  /** Of the manifest, relative to the project. */
  readonly file: string;
  /** For every text of the server's that is shown. */
  readonly redact: Redact;
}

export interface GoodAnswer {
  readonly state: "same" | "changed";
  readonly transport: TransportKind;
  readonly tried: readonly TriedTransport[];
  readonly toolCount: number;
  /** The manifest as it would be written. */
  readonly text: string;
  readonly changes: ManifestChanges;
  readonly warnings: Warnings;
}

/** What a person should look at before saying yes. */
export interface Warnings {
  readonly suspicions: readonly Suspicion[];
  /** Tools that were defined differently when the server was asked again. */
  readonly unsteady: readonly string[];
  /** Why it couldn't be asked again. */
  readonly askedOnce: string | undefined;
  /** Variables whose values stand in the answer: with other values, on another machine, the answer is another one. */
  readonly machine: readonly string[];
}

export interface NoAnswer {
  readonly state: "failed";
  readonly failure: ServerFailure;
  readonly tried: readonly TriedTransport[];
}

/** An answer that can't be pinned, in the words of the catalogue. */
export interface BadAnswer {
  readonly state: "refused";
  readonly diagnostics: readonly Diagnostic[];
}

export interface Contradiction {
  readonly tool: string;
  /** The word of its name that says so. */
  readonly word: string;
}

/** What a new manifest means for the roles, both ways compiled. */
export interface Consequences {
  readonly access: readonly AccessChange[];
  /** Roles that hold a tool whose definition changed, by tool. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** New or changed tools that the server calls read-only although their name says that they change something, where no `hints` of the project decide. */
  readonly contradictions: readonly Contradiction[];
  /** Errors that the project would have with it and doesn't have without. */
  readonly errors: readonly Diagnostic[];
  /** How many errors it takes away. */
  readonly mended: number;
}

/** What became of one server in the end: written as its manifest, or not. */
export interface Settled {
  readonly captured: Captured;
  /** Undefined: nothing changed, or nothing could be read. */
  readonly consequences: Consequences | undefined;
  readonly written: boolean;
  /** Why it couldn't be written. */
  readonly problems: readonly Diagnostic[];
}
