import type { ErrorCode, FailedHook, ObservedCall, ObservedOutcome, RecordLine } from "../api.ts";
import { canonicalText } from "../canonical.ts";
import type { CallMeta, ContentBlock, JsonValue, ToolResult } from "../contract.ts";
import { RolecallError } from "../errors.ts";
import { sizeLeft } from "../json-values.ts";
import type { LinkInfo } from "../link.ts";
import { sha256 } from "./ask.ts";
import { told, unknownName } from "./degradation.ts";
import { fakeOf } from "./fakes.ts";
import type { Recorder } from "./record.ts";
import { bytesInJson } from "./result.ts";
import type { CallFacts } from "./telemetry.ts";
import type { SessionState, TeamState, Trail } from "./types.ts";

/** What is said about a call: to the record, to the app's hooks, to telemetry. Nothing here changes what the caller gets. */

export function observeBefore(session: SessionState, trail: Trail): void {
  const { before } = session.team.options;
  if (before !== undefined) observe(session.team, "before", () => before(observed(session, trail)));
}

export function finish(session: SessionState, trail: Trail, outcome: ToolResult<unknown> | RolecallError): void {
  const { team } = session;
  const error = outcome instanceof RolecallError ? outcome : undefined;
  const { recorder, options } = team;
  if (recorder !== undefined || trail.span !== undefined) {
    const durationMs = team.elapsed() - trail.started - trail.askedMs;
    if (recorder !== undefined) recordLine(session, trail, recorder, error, durationMs);
    trail.span?.end(factsOf(session, trail, error, durationMs));
  }
  if (error !== undefined) sayRefused(session, trail, error);
  const { after } = options;
  if (after !== undefined)
    observe(team, "after", () =>
      after(
        observed(session, trail),
        outcome instanceof RolecallError
          ? { ok: false, code: outcome.code, message: outcome.message }
          : copyOf(outcome),
      ),
    );
}

function sayRefused({ team, role }: SessionState, { server, tool }: Trail, { code }: RolecallError): void {
  if (REFUSALS.has(code)) team.emit({ type: "refused", role: role.name, server, tool, code });
}

/** A call that a host wasn't let make. */
export function recordRefusal(session: SessionState, trail: Trail, error: RolecallError): void {
  recordHostCall(session, trail, error, undefined);
  sayRefused(session, trail, error);
}

/** The end of a call that a host made. Of one that is asked the time of the person can't be told from the server's. */
export function recordHostCall(
  session: SessionState,
  trail: Trail,
  error: RolecallError | undefined,
  result: unknown,
): void {
  const { recorder, elapsed } = session.team;
  if (recorder === undefined) return;
  if (trail.effect === "ask" && (error === undefined || !REFUSALS.has(error.code))) trail.ask = "yes";
  trail.resultBytes = bytesOf(result);
  recordLine(session, trail, recorder, error, elapsed() - trail.started);
}

/** What a host hands over may be anything. */
function bytesOf(result: unknown): number {
  try {
    return result === undefined ? 0 : Buffer.byteLength(JSON.stringify(result) ?? "");
  } catch {
    return 0;
  }
}

/** An observer changes nothing of what the caller gets. Copied when it is looked at: most look at the time alone. */
function copyOf({ meta, content }: ToolResult<unknown>): ObservedOutcome {
  let copied: CallMeta | undefined;
  let blocks: readonly ContentBlock[] | undefined;
  return {
    ok: true,
    get meta() {
      return (copied ??= structuredClone(meta));
    },
    get content() {
      return (blocks ??= structuredClone(content));
    },
  };
}

/** Nothing that was called is left without its line. What can't be told of it is left out of that. */
function recordLine(
  session: SessionState,
  trail: Trail,
  recorder: Recorder,
  error: RolecallError | undefined,
  durationMs: number,
): void {
  try {
    recorder.write(lineOf(session, trail, error, durationMs));
  } catch (problem) {
    hookFailed(session.team, "record", problem);
    recorder.write(lineOf(session, { ...trail, args: null, result: undefined }, error, durationMs));
  }
}

const DENIALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "tool-denied",
  "tool-unknown",
  "argument-refused",
  "tool-changed",
]);
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([...DENIALS, "ask-refused"]);

function observed(session: SessionState, trail: Trail): ObservedCall {
  return { role: session.role.name, server: trail.server, tool: trail.tool, args: trail.args };
}

/** What a hook throws is an event. It isn't waited for: an observer doesn't hold up what it observes. */
function observe(team: TeamState, hook: "before" | "after", run: () => void | Promise<void>): void {
  const failed = (error: unknown): void => hookFailed(team, hook, error);
  try {
    const running = run();
    if (running instanceof Promise) running.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** What the app handed in has failed. */
export function hookFailed(team: Pick<TeamState, "emit">, hook: FailedHook, error: unknown): void {
  team.emit({ type: "hook-failed", hook, why: error instanceof Error ? error.message : String(error) });
}

function lineOf(session: SessionState, trail: Trail, error: RolecallError | undefined, durationMs: number): RecordLine {
  const { team, role } = session;
  const text = (given: string): string => told(team.secrets, given);
  const info = infoOf(trail);
  // A name that the role holds is the policy's word. Any other may be whatever a model wrote.
  const isHeld = role.servers.get(trail.server)?.tools.has(trail.tool) === true;
  const isDenied = trail.effect === undefined || (error !== undefined && DENIALS.has(error.code));
  return {
    ts: timeText(trail.startedAt),
    run_id: team.run,
    role: role.name,
    server: isHeld ? trail.server : unknownName(team.secrets, trail.server),
    tool: isHeld ? trail.tool : unknownName(team.secrets, trail.tool),
    args: recordedArguments(team, trail),
    status: error === undefined ? "ok" : "error",
    duration_ms: Math.round(durationMs * 1000) / 1000,
    decision: isDenied ? "deny" : trail.effect!,
    ask: trail.ask,
    transport: info.transport ?? null,
    session_id: idTold(team, info.sessionId) ?? null,
    protocol_version: idTold(team, info.protocolVersion) ?? null,
    http_status: statusOf(trail) ?? null,
    retries: trail.retries,
    waited_ms: trail.waitedMs > 0 ? Math.ceil(trail.waitedMs) : undefined,
    hurried: trail.hurried && error?.code === "timeout" ? true : undefined,
    cached: trail.cached ? true : undefined,
    faked: fakeOf(team.options, trail.server) === undefined ? undefined : true,
    result_bytes: trail.resultBytes ?? (trail.result === undefined ? 0 : bytesInJson(trail.result.raw)),
    plan: trail.entry?.tool.digest ?? null,
    error: error?.message ?? null,
    by: trail.by === undefined ? undefined : text(trail.by),
    client: trail.client === undefined ? undefined : text(trail.client),
    caller: trail.caller === undefined ? undefined : text(trail.caller),
    code: error?.code,
  };
}

/** As `toISOString` writes it, which takes longer: calls come many in a second. */
function timeText(time: number): string {
  const start = Math.floor(time / 1000) * 1000;
  if (start !== lastSecond.start) lastSecond = { start, text: new Date(start).toISOString().slice(0, -4) };
  return `${lastSecond.text}${String(Math.floor(time - start)).padStart(3, "0")}Z`;
}

let lastSecond = { start: Number.NaN, text: "" };

/** What a server chose itself may hold what it was sent. */
function idTold({ secrets }: TeamState, given: string | undefined): string | undefined {
  return given && told(secrets, given, LONGEST_ID);
}

const LONGEST_ID = 1_000;

/** Characters. A file of calls is for people, and to mask a book for it would hold the app. */
const MOST_RECORDED = 64 * 1024;

function recordedArguments({ options, secrets }: TeamState, trail: Trail): JsonValue {
  if (options.recordArguments === "none") return null;
  if (options.recordArguments !== "hash" && sizeLeft(trail.args, SURELY_RECORDED) >= 0) return secrets.json(trail.args);
  const text = canonicalText(trail.args);
  if (options.recordArguments === "hash") return sha256(text);
  if (text.length <= MOST_RECORDED) return secrets.json(trail.args);
  return `left out: they have more than ${MOST_RECORDED} characters; ${sha256(text)}`;
}

/** Of values and characters: none of them takes more than 26 characters in JSON. */
const SURELY_RECORDED = MOST_RECORDED / 32;

function factsOf(
  { role, team }: SessionState,
  trail: Trail,
  error: RolecallError | undefined,
  durationMs: number,
): CallFacts {
  const { server, tool, retries, cached } = trail;
  // The server has answered, and its answer is a failure: the conventions have a word for that.
  const isToolError = (trail.result?.raw as { isError?: unknown } | null | undefined)?.isError === true;
  const info = infoOf(trail);
  return {
    ...info,
    sessionId: idTold(team, info.sessionId),
    protocolVersion: idTold(team, info.protocolVersion),
    role: role.name,
    server,
    tool,
    httpStatus: statusOf(trail),
    retries,
    cached,
    error: error && { type: isToolError ? "tool_error" : error.code, message: error.message },
    durationMs,
  };
}

function infoOf({ result, entry, byHost }: Trail): Partial<LinkInfo> {
  if (byHost) return {};
  return result?.info ?? entry?.link.link.info ?? {};
}

function statusOf(trail: Trail): number | undefined {
  return trail.result?.httpStatus ?? trail.httpStatus;
}
