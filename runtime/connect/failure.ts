import type { ErrorCode } from "../api.ts";
import { RolecallError, type ErrorDetails } from "../errors.ts";
import { tooDeep, TooMuch } from "./bounds.ts";
import { HttpFailure } from "./http-fetch.ts";
import { TooSlow } from "./in-time.ts";

/** What went wrong, told from whatever was thrown: the library says one thing in many ways. */
export interface Failure {
  readonly code: ErrorCode;
  /** In words of ours, but for those of an error answer and of what the library says of one. */
  readonly why: string;
  /** In place of such words, where they aren't a tool's answer. */
  readonly ours?: string;
  /** In the server's own: the end of a child's standard error, or the body of a refusal. Not masked yet. */
  readonly said?: string | undefined;
  /** Before `initialize`, the next transport may be tried. */
  readonly next: boolean;
  /** The connection can't be used any more. */
  readonly lost: boolean;
  /** The server certainly did nothing. */
  readonly unsent: boolean;
  /** See LinkFailure. */
  readonly forgotten?: boolean;
  /** See LinkFailure. */
  readonly absent?: boolean;
  readonly httpStatus?: number;
  readonly retryAfterMs?: number | undefined;
  /** The system's own code. */
  readonly system?: string;
}

/** Given as data of an error answer by us, when the stream that should have brought the answer ended. */
export const CUT_OFF: object = Object.freeze({ cutOff: true });

/** Thrown on by who knew more than the error said. */
export class Explained extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.why);
    this.failure = failure;
  }
}

/** The process reads its input no more: mostly it is ending, and how is known in a moment. */
export class BrokenPipe extends Error {
  constructor() {
    super("it takes no input any more");
  }
}

/** Nothing of it was sent. */
export class NotRead extends Error {
  constructor() {
    super("it doesn't read what it was sent before");
  }
}

const NOT_REACHED = new Map([
  ["ECONNREFUSED", "the connection was refused"],
  ["ENOTFOUND", "its name doesn't resolve"],
  ["EAI_AGAIN", "its name doesn't resolve"],
  ["ETIMEDOUT", "the connection timed out"],
  ["UND_ERR_CONNECT_TIMEOUT", "the connection timed out"],
  ["EHOSTUNREACH", "its machine can't be reached"],
  ["ENETUNREACH", "its network can't be reached"],
]);

export function explain(error: unknown): Failure {
  if (error instanceof Explained) return error.failure;
  if (error instanceof HttpFailure) return explainStatus(error.status, error.text, error.retryAfterMs);
  if (error instanceof TooSlow) return { ...UNREACHED, code: "timeout", why: error.message, unsent: false };
  if (error instanceof TooMuch) return { ...FAILED, why: error.message };
  if (error instanceof NotRead) return { ...UNREACHED, why: error.message, lost: false };
  if (error instanceof BrokenPipe) return { ...LOST, why: error.message };
  if (isNamed(error, "AbortError")) return LOST;
  const code = codeOf(error);
  if (isNamed(error, "UnauthorizedError") || code === "CLIENT_HTTP_AUTHENTICATION")
    return explainStatus(401, "", undefined);
  if (typeof code === "string") return explainCode(code, error);
  // An event source gives the status of a refused stream as its code; an error answer gives its own.
  if (typeof code === "number" && has(error, "event"))
    return code < 300 ? UNREADABLE : explainStatus(code, "", undefined);
  if (isCutOff(error)) return CUT;
  if (typeof code === "number")
    return {
      ...FAILED,
      why: messageOf(error),
      ours: `it answered with an error (${code})`,
      absent: isAbsent(code, error),
    };
  // The library's walk over a message that was small, and so wasn't metered.
  if (isNamed(error, "RangeError") && /call stack/.test(messageOf(error))) return explain(tooDeep());
  if (isNamed(error, "SyntaxError") || isNamed(error, "ZodError")) return UNREADABLE;
  const failure = { ...UNREACHED, why: messageOf(error), next: false, unsent: false };
  // Those are ours and the platform's.
  return isNamed(error, "TypeError") ? failure : { ...failure, ours: "the connection failed" };
}

/** Of a server that isn't there: what may be its own words is said apart, as its last ones are. */
export function inOurWords(failure: Failure): Failure {
  const { why, ours, said = "", ...others } = failure;
  if (ours === undefined) return failure;
  return { ...others, why: ours, said: said === "" ? why : `${said}\n${why}` };
}

function explainCode(code: string, error: unknown): Failure {
  if (code === "EMFILE" || code === "ENFILE") return { ...UNREACHED, why: TOO_MANY_FILES, system: code, next: false };
  const why = code === "ENOENT" ? `its command${commandOf(error)} isn't found` : NOT_REACHED.get(code);
  if (why !== undefined) return { ...UNREACHED, why, system: code };
  if (code === "REQUEST_TIMEOUT") return { ...FAILED, code: "timeout", why: "no answer in time" };
  if (code === "CONNECTION_CLOSED") return LOST;
  if (code === "CLIENT_HTTP_UNEXPECTED_CONTENT") return UNREADABLE;
  // What OpenSSL says of it is meant for its authors.
  const said = /^(?:ERR_SSL_|EPROTO)/.test(code) ? "it doesn't speak TLS as https:// asks for" : messageOf(error);
  return {
    ...UNREACHED,
    why: said.includes(code) ? said : `${said} (${code})`,
    system: code,
    next: false,
    unsent: false,
    ...(isNamed(error, "SdkError") && { ours: UNREADABLE.why }),
  };
}

const TOO_MANY_FILES =
  "too many files and connections are open here: this machine's limit is reached, not the server's";

function commandOf(error: unknown): string {
  return has(error, "path") && typeof error.path === "string" ? ` \`${error.path}\`` : "";
}

const UNREACHED = { code: "server-unavailable", next: true, lost: true, unsent: true } as const;
const FAILED = { code: "tool-failed", next: false, lost: false, unsent: false } as const;
export const LOST: Failure = { ...UNREACHED, why: "the connection was closed", unsent: false };
export const CUT: Failure = { ...FAILED, code: "server-unavailable", why: "the connection broke before the answer" };
const UNREADABLE: Failure = { ...FAILED, why: "its answer isn't one that can be read" };

function explainStatus(status: number, text: string, retryAfterMs: number | undefined): Failure {
  const about = { httpStatus: status, retryAfterMs, next: false, lost: true, unsent: true };
  if (status === 401) return { ...about, code: "needs-auth", why: "it asks for credentials (401)" };
  if (status === 403) return { ...about, code: "auth-failed", why: "it refuses these credentials (403)", lost: false };
  if (status === 451) return { ...about, code: "auth-failed", why: "it refuses for legal reasons (451)", lost: false };
  if (status === 429) return { ...about, code: "rate-limited", why: "its rate limit is reached (429)", lost: false };
  if (status < 400) return { ...about, code: "tool-failed", why: redirected(status), said: text, lost: false };
  const why = `it answered ${status}`;
  if (!GONE.has(status) && status < 500) return { ...about, code: "tool-failed", why, said: text, lost: false };
  return {
    ...about,
    code: "server-unavailable",
    why,
    said: text,
    next: true,
    lost: status !== 500,
    unsent: status < 500,
  };
}

function redirected(status: number): string {
  return `it answered with a redirect (${status}); write the address it names`;
}

const GONE: ReadonlySet<number> = new Set([404, 405, 410]);

/**
 * The same of a call that was sent. A server may do what it was asked and answer 404 all the same: not done is only what
 * never left, and what is refused before a server looks at it. `live`: the connection that it was sent over.
 */
export function explainSent(error: unknown, live: SentOver): SentFailure {
  const failure = explain(error);
  const { code, system = "" } = failure;
  const noSession = live.connection.info.sessionId !== undefined && isForgottenSession(error);
  const unsent = error instanceof NotRead || NEVER_LEFT.has(system) || (failure.unsent && REFUSED.has(code));
  const sent = { ...failure, unsent, noSession, forgotten: noSession && live.answered };
  return failure.httpStatus === 404 ? { ...sent, code: "tool-failed", lost: false } : sent;
}

export interface SentFailure extends Failure {
  /** The server doesn't know the session any more. */
  readonly noSession: boolean;
}

interface SentOver {
  readonly connection: { readonly info: { readonly sessionId: string | undefined } };
  /** A call was answered in the session. Before, a 404 may mean anything. */
  readonly answered: boolean;
}

/** Without what may come from a connection that was there before. */
const NEVER_LEFT: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);
const REFUSED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["needs-auth", "auth-failed", "rate-limited"]);

/** 404 by the protocol, 400 from servers that say it in words. */
function isForgottenSession(error: unknown): boolean {
  if (!(error instanceof HttpFailure)) return false;
  return error.status === 404 || (error.status === 400 && /session|not initialized/i.test(error.text));
}

/** The server has answered the message, with an error. */
export function isErrorAnswer(error: unknown): boolean {
  return has(error, "code") && typeof error.code === "number" && !has(error, "event") && !isCutOff(error);
}

function isCutOff(error: unknown): boolean {
  return has(error, "data") && error.data === CUT_OFF;
}

/** By the protocol, and by its older revisions. Other wrong parameters have the same code. */
function isAbsent(code: number, error: unknown): boolean {
  return code === -32002 || (code === -32602 && has(error, "data") && has(error.data, "uri"));
}

/** The error itself isn't passed on as the cause: what it holds may tell a secret. */
export function rolecallError(failure: Failure, about: ErrorDetails & { readonly message: string }): RolecallError {
  const { code, unsent, httpStatus, said, forgotten = false, absent = false } = failure;
  return new RolecallError(code, about.message, {
    retryable: unsent && (code === "server-unavailable" || code === "rate-limited"),
    retryAfterMs: failure.retryAfterMs,
    cause: { httpStatus, unsent, waiting: false, forgotten, absent, said: said || undefined } satisfies LinkFailure,
    ...about,
  });
}

/** It is there, and asks for other credentials. */
export function isRefusal({ code }: Failure): boolean {
  return code === "needs-auth" || code === "auth-failed";
}

/** What the session's side may want to know of an error that a link threw. */
export interface LinkFailure {
  readonly httpStatus: number | undefined;
  /** The server certainly did nothing: trying again is safe for writes too. */
  readonly unsent: boolean;
  /** Refused while waiting for the next try: no new failure of the server. */
  readonly waiting: boolean;
  /** The server's own words, masked: for people, and never for a model. */
  readonly said: string | undefined;
  /** The server no longer knew a session in which it had answered before: with a 404 nothing was done, by the protocol. */
  readonly forgotten: boolean;
  /** The server says that it has no resource of that address. */
  readonly absent?: boolean;
}

export function linkFailure(error: RolecallError): LinkFailure | undefined {
  return isLinkFailure(error.cause) ? error.cause : undefined;
}

function isLinkFailure(cause: unknown): cause is LinkFailure {
  return typeof cause === "object" && cause !== null && "unsent" in cause && "waiting" in cause;
}

function codeOf(error: unknown): unknown {
  if (has(error, "code") && error.code !== undefined) return error.code;
  return has(error, "cause") ? codeOf(error.cause) : undefined;
}

function has<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === "object" && value !== null && key in value;
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

/** `fetch failed` says nothing; what caused it does, but of a 407 even that is empty. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== "fetch failed" || !(error.cause instanceof Error)) return error.message;
  return error.cause.message || "it gave no reason; a proxy on the way may ask for a login (407)";
}
