import type { ErrorCode } from "./api.ts";

/**
 * What a call rejects with. `advice` is text that an agent can be told: the server's name, what to do instead, and when
 * the next try makes sense.
 */
export class RolecallError extends Error {
  readonly code: ErrorCode;
  readonly role: string;
  readonly server: string;
  readonly tool: string;
  readonly advice: string;
  /** It holds words of a tool that is labelled untrusted-content: `advice` says so first. */
  readonly untrusted: boolean;
  readonly retryable: boolean;
  /** For `rate-limited`, and for a server that is down: when to try again. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, about: ErrorDetails = {}) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.name = "RolecallError";
    this.code = code;
    this.role = about.role ?? "";
    this.server = about.server ?? "";
    this.tool = about.tool ?? "";
    this.advice = about.advice ?? message;
    this.untrusted = about.untrusted ?? false;
    this.retryable = about.retryable ?? false;
    this.retryAfterMs = about.retryAfterMs;
  }
}

export interface ErrorDetails {
  readonly role?: string;
  readonly server?: string;
  readonly tool?: string;
  readonly advice?: string;
  readonly untrusted?: boolean;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}
