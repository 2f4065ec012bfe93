import type { Failure } from "./types.ts";

/** What went wrong at a transport, in one sentence with the next step. `stderr` has been masked. */
export interface Signs {
  readonly kind: "http" | "sse" | "stdio";
  readonly status: number | undefined;
  readonly error: unknown;
  readonly stderr: string;
}

/** The reasons for which the next transport is tried; everything else is the server's own word. */
export function goesOn({ kind, status, error }: Signs): boolean {
  if (kind === "stdio") return true;
  if (status !== undefined && !(status >= 200 && status < 300))
    return status === 404 || status === 405 || status === 410 || status >= 500;
  return NO_WAY_THERE.has(codeOf(error) ?? "");
}

export function failureOf(signs: Signs, mask: (text: string) => string): Failure {
  return signs.kind === "stdio" ? processFailure(signs, mask) : httpFailure(signs, mask);
}

export function timeoutFailure(ms: number, stderr: string): Failure {
  const time = ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
  return {
    kind: "timeout",
    says: `it gave no answer within ${time}${lastLine(stderr)}`,
    next: `--timeout ${Math.ceil(ms / 1000) * 4}s waits longer`,
  };
}

export function unsoundFailure(problem: string): Failure {
  return { kind: "unsound", says: problem, next: "report it to the author of the server; it can't be pinned" };
}

export function protocolFailure(message: string): Failure {
  return {
    kind: "refused",
    says: `it refuses: ${short(message)}`,
    next: "check what the server needs; its own words are above",
  };
}

function processFailure({ error, stderr }: Signs, mask: (text: string) => string): Failure {
  const code = codeOf(error);
  if (code === "ENOENT")
    return {
      kind: "unreachable",
      says: "its command wasn't found",
      next: "install it, or check `stdio` and `cwd`",
    };
  if (code !== undefined)
    return {
      kind: "unreachable",
      says: `its command can't be started: ${mask(code)}`,
      next: "check `stdio` and `cwd`",
    };
  return {
    kind: "unreachable",
    says: `its process ended before it answered${lastLine(stderr)}`,
    next: "run its command by hand to see why",
  };
}

function httpFailure({ status, error }: Signs, mask: (text: string) => string): Failure {
  if (status === 401)
    return { kind: "needs-auth", says: "it asks for a login (401)", next: "give its token in a header, or log in" };
  if (status === 403 || status === 451)
    return {
      kind: "auth-failed",
      says: `it refuses these credentials (${status})`,
      next: "check the token and what it may do",
    };
  if (status !== undefined && status >= 300 && status < 400)
    return { kind: "unreachable", says: `it leads elsewhere (${status})`, next: "write the address that it leads to" };
  if (status !== undefined && !(status >= 200 && status < 300))
    return { kind: "unreachable", says: `it answers ${status}`, next: "check its address" };
  const code = codeOf(error);
  if (code !== undefined && CERTIFICATE.test(code))
    return { kind: "unreachable", says: `its certificate isn't trusted: ${code}`, next: "check its address" };
  const words = WORDS[code ?? ""] ?? short(mask(messageOf(error)));
  return {
    kind: "unreachable",
    says: `it can't be reached: ${words === "" ? "no answer" : words}`,
    next: "check its address and your network",
  };
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection is refused",
  ENOTFOUND: "its host name doesn't resolve",
  EAI_AGAIN: "its host name doesn't resolve now",
  ETIMEDOUT: "the connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
  ECONNRESET: "the connection was cut",
  EHOSTUNREACH: "there is no way to its host",
  ENETUNREACH: "there is no way to its network",
};
const NO_WAY_THERE: ReadonlySet<string> = new Set(Object.keys(WORDS));

const CERTIFICATE = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/;

/** The system's code, of the error or of what caused it. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 4) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: readonly unknown[] };
  if (typeof code === "string" && /^(?:E[A-Z]+|UND_ERR_[A-Z_]+|[A-Z]+(?:_[A-Z]+)+)$/.test(code)) return code;
  return codeOf(cause, depth + 1) ?? codeOf(errors?.[0], depth + 1);
}

/** `fetch failed` says nothing; what caused it does. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** What a process said last; often the whole reason. */
function lastLine(stderr: string): string {
  const line = stderr.trim().split(/\r?\n/).at(-1)?.trim() ?? "";
  return line === "" ? "" : `; it said: ${short(line)}`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
