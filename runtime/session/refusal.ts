import type { ErrorCode } from "../api.ts";
import { linkFailure } from "../connect/failure.ts";
import { RolecallError, type ErrorDetails } from "../errors.ts";
import { adviceFor, UNAVAILABLE } from "./degradation.ts";
import { isUntrusted } from "../untrusted.ts";
import { waitOf } from "./servers.ts";
import type { SessionState, Trail } from "./types.ts";

/** The errors that a caller gets: with role, server and tool, without secrets, with advice. */

interface More {
  readonly retryable?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
  /** Other advice than the server's own. */
  readonly whenDown?: string | undefined;
}

export function refusal(
  session: SessionState,
  trail: Pick<Trail, "server" | "tool" | "use" | "entry">,
  code: ErrorCode,
  words: string,
  more: More = {},
): RolecallError {
  const message = session.team.secrets.text(words);
  const { use } = trail;
  const whenDown = "whenDown" in more ? more.whenDown : use?.data.whenDown;
  const waitMs = use === undefined || !UNAVAILABLE.has(code) ? 0 : waitOf(use, session.used.get(trail.server)?.link);
  const retryAfterMs = waitMs === 0 ? more.retryAfterMs : Math.max(waitMs, more.retryAfterMs ?? 0);
  // Else they are our words alone.
  const untrusted = code === "tool-failed" && isUntrusted(trail.entry?.tool);
  return withoutStack(code, message, {
    role: session.role.name,
    server: trail.server,
    tool: trail.tool,
    retryable: more.retryable ?? false,
    retryAfterMs,
    cause: more.cause,
    advice: adviceFor({ code, message, whenDown, retryInMs: retryAfterMs, untrusted }),
    untrusted,
  });
}

/** A refusal says all in its fields; the walk up the stack would take as long as everything else about it. */
function withoutStack(code: ErrorCode, message: string, about: ErrorDetails): RolecallError {
  const limit = Error.stackTraceLimit;
  limitStacks(0);
  const error = new RolecallError(code, message, about);
  limitStacks(limit);
  return error;
}

function limitStacks(lines: number): void {
  try {
    Error.stackTraceLimit = lines;
  } catch {
    // Where it is frozen, errors have a stack.
  }
}

/** What was thrown on the way, as the caller gets it. Ours is ready; a link's knows no role, and neither does a bug. */
export function finalError(session: SessionState, trail: Trail, error: unknown): RolecallError {
  if (!(error instanceof RolecallError))
    return refusal(session, trail, "tool-failed", error instanceof Error ? error.message : String(error));
  if (error.role !== "") return error;
  const failure = linkFailure(error);
  trail.httpStatus = failure?.httpStatus ?? trail.httpStatus;
  const named = error.message.includes(trail.server) ? error.message : `server \`${trail.server}\`: ${error.message}`;
  return refusal(session, trail, error.code, named, {
    retryable: error.retryable || (TRY_AGAIN.has(error.code) && mayRepeat(trail)),
    retryAfterMs: error.retryAfterMs,
    cause: failure && { ...failure, said: failure.said && session.team.secrets.text(failure.said) },
  });
}

const TRY_AGAIN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["server-unavailable", "timeout", "rate-limited"]);

/** After a write that may have happened nobody is told to try again, unless twice is as once. */
export function mayRepeat({ sent, entry }: Trail): boolean {
  return !sent || entry?.repeatable === true || entry?.tool.idempotent === true;
}
