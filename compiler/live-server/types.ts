import type { JsonObject, JsonValue } from "../base/json.ts";

/**
 * What is known of a live server: how it was reached and what it answered, as sent. Nothing of it is trusted: an
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
export interface AskTrouble {
  readonly kind: ServerFailure["kind"];
  readonly transport: TransportKind;
  readonly says: string;
  /** In its own words: the end of a child's standard error, or the body of a refusal. */
  readonly said?: string | undefined;
  readonly missing: readonly string[];
  readonly httpStatus: number | undefined;
  /** The system's own code. */
  readonly system: string | undefined;
  /** Whether the runtime would go on to the next transport. */
  readonly goesOn: boolean;
}

/** Why a server gave no answer. The sentence holds no value of a reference. */
export interface ServerFailure {
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
export interface TriedTransport {
  readonly transport: TransportKind;
  readonly failure: ServerFailure;
}
