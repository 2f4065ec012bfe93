import type { Diagnostic } from "../diagnostics/types.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import type { AccessChange } from "../3-plan/compare-access.ts";
import type { ManifestChanges } from "./compare-manifests.ts";
import type { Mask } from "./mask.ts";
import type { Suspicion } from "./poison.ts";

/**
 * What capture knows of a live server: how it was reached and what it answered, as sent. Nothing of it is trusted: an
 * answer becomes a manifest only after it has been looked through, and its texts are shown with `visible` alone.
 */
export interface ServerAnswer {
  readonly transport: TransportKind;
  readonly sessionId: string | undefined;
  readonly protocolVersion: string | undefined;
  /** The result of `initialize`. */
  readonly initialize: JsonObject;
  /** All pages of `tools/list`, in the order sent. */
  readonly tools: readonly JsonValue[];
}

export type TransportKind = "http" | "sse" | "stdio";

/** Why a transport brought no answer, as it was found: `says` may hold values of references and text of strangers. */
export interface Trouble {
  readonly kind: Failure["kind"];
  readonly transport: TransportKind;
  readonly says: string;
  /** In its own words: the end of a child's standard error, or the body of a refusal. */
  readonly said?: string | undefined;
  readonly missing: readonly string[];
  readonly httpStatus: number | undefined;
  /** The system's own code. */
  readonly system: string | undefined;
  /** The runtime would try the next transport. */
  readonly goesOn: boolean;
}

/** Why a server gave no answer. The sentence holds no value of a reference. */
export interface Failure {
  readonly kind:
    | "missing-variable"
    | "bad-reference"
    | "needs-auth"
    | "auth-failed"
    | "unreachable"
    | "timeout"
    | "refused"
    | "unsound";
  readonly says: string;
  /** Lower case, no full stop, as every sentence here. */
  readonly next: string;
}

/** One transport that was tried and left for the next. */
export interface Try {
  readonly transport: TransportKind;
  readonly failure: Failure;
}

/** What became of one server. `server` was asked; others may share its pin. */
export type Captured = CapturedBase & (GoodAnswer | NoAnswer | BadAnswer);

interface CapturedBase {
  readonly server: string;
  readonly pin: string;
  /** Of the manifest, relative to the project. */
  readonly file: string;
  /** For every text of the server's that is shown. */
  readonly mask: Mask;
}

export interface GoodAnswer {
  readonly state: "same" | "changed";
  readonly transport: TransportKind;
  readonly tried: readonly Try[];
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
  /** Variables whose values stand in the answer: elsewhere the same server answers something else. */
  readonly machine: readonly string[];
}

export interface NoAnswer {
  readonly state: "failed";
  readonly failure: Failure;
  readonly tried: readonly Try[];
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
  /** New or changed tools that the server calls read-only against their name, and nobody has settled it. */
  readonly contradictions: readonly Contradiction[];
  /** Errors that the project would have with it and doesn't have without. */
  readonly errors: readonly Diagnostic[];
  /** How many errors it takes away. */
  readonly mended: number;
}
