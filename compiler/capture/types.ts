import type { JsonObject, JsonValue } from "../base/json.ts";

/**
 * What capture knows of a live server: how it was reached and what it answered, as sent. Nothing of it is trusted: an
 * answer becomes a manifest only after it has been looked through, and its texts are shown with `visible` alone.
 */
export interface ServerAnswer {
  readonly transport: "http" | "sse" | "stdio";
  /** The result of `initialize`. */
  readonly initialize: JsonObject;
  /** All pages of `tools/list`, in the order sent. */
  readonly tools: readonly JsonValue[];
}

/** One way to reach a server, its references expanded. Never printed. */
export type Connection =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** As written: relative to the project. */
      readonly cwd: string | undefined;
    }
  | { readonly kind: "http" | "sse"; readonly url: string; readonly headers: Readonly<Record<string, string>> };

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
  readonly transport: "http" | "sse" | "stdio";
  readonly failure: Failure;
}

export type Asked =
  | { readonly answer: ServerAnswer; readonly tried: readonly Try[]; readonly worked: number }
  | { readonly failure: Failure; readonly tried: readonly Try[] };
