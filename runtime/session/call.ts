import { canonicalText } from "../canonical.ts";
import type { JsonValue, ToolResult } from "../contract.ts";
import { RolecallError } from "../errors.ts";
import { sizeLeft } from "../json-values.ts";
import type { LinkResult } from "../link.ts";
import { isUntrusted } from "../untrusted.ts";
import type { AnswerPlace } from "./answers.ts";
import { askedNo, SAID_NO } from "./ask.ts";
import { shown, told } from "./degradation.ts";
import { finish, observeBefore } from "./finish.ts";
import { copyArguments, judged, type Judged } from "./judged.ts";
import { finalError, refusal } from "./refusal.ts";
import { readResult } from "./result.ts";
import { refuseChanged, refuseStopped, send, stopped } from "./send.ts";
import { connect } from "./servers.ts";
import { startServers } from "./start.ts";
import { startTrail } from "./trail.ts";
import type { Entry, LiveOptions, SessionState, Trail } from "./types.ts";
import { cutShort, deadlineOf, inCallersTime, sharedByMany } from "./waiting.ts";

/**
 * One call, from its arguments to its line in the record. Where a step refuses, nothing behind it has been touched. What is
 * refused at once isn't thrown and waited for on the way: that would cost more than all the judging.
 */
export function callTool(
  session: SessionState,
  server: string,
  tool: string,
  given: unknown,
  options: LiveOptions = {},
): Promise<ToolResult<unknown>> {
  const trail = startTrail(session, server, tool);
  trail.client = options.client;
  trail.caller = options.caller;
  try {
    trail.deadline = deadlineOf(options.timeoutMs, trail.started);
  } catch (slip) {
    return Promise.reject(slip as TypeError);
  }
  if (options.signal !== undefined) sharedByMany(options.signal);
  const judging = judgedCall(session, trail, given, options);
  if (judging instanceof RolecallError) return refused(session, trail, judging);
  return trail.deadline === undefined
    ? judgedThenSent(session, trail, judging, options)
    : inCallersTime(trail.deadline, options, (inTime) => judgedThenSent(session, trail, judging, inTime));
}

async function judgedThenSent(
  session: SessionState,
  trail: Trail,
  judging: Entry | Promise<Judged>,
  options: LiveOptions,
): Promise<ToolResult<unknown>> {
  try {
    const entry = judging instanceof Promise ? await cutShort(judging, options.signal) : judging;
    if (entry === undefined) throw stopped({ session, trail, options });
    if (entry instanceof RolecallError) throw entry;
    trail.span = entry.server.equipment.telemetry?.call(trail.tool);
    const connecting = connected(session, trail, entry, options);
    if (connecting !== undefined) await connecting;
    if (entry.held.effect === "ask") await askOrRefuse(session, trail, entry, options);
    const place = placeOf(session, trail, entry);
    const known = place?.find();
    trail.cached = known !== undefined;
    const sent = known ?? (await send({ session, trail, entry, options }));
    const result = resultOf(session, trail, entry, sent);
    // A failure isn't kept, and neither is a result that isn't what was promised: both have thrown.
    if (known === undefined) place?.keep(sent);
    finish(session, trail, result);
    return result;
  } catch (error) {
    const final = finalError(session, trail, error);
    finish(session, trail, final);
    throw final;
  }
}

/** All that can be said without the server. */
function judgedCall(
  session: SessionState,
  trail: Trail,
  given: unknown,
  options: LiveOptions,
): Judged | Promise<Judged> {
  try {
    const unreadable = copyArguments(session, trail, given);
    if (unreadable !== undefined) return unreadable;
    observeBefore(session, trail);
    refuseStopped({ session, trail, options });
    return judged(session, trail);
  } catch (error) {
    return finalError(session, trail, error);
  }
}

function refused(session: SessionState, trail: Trail, why: RolecallError): Promise<never> {
  finish(session, trail, why);
  return Promise.reject(why);
}

/** And the live tool is the one that was pinned. Undefined: so it is, and there is nothing to wait for. */
function connected(session: SessionState, trail: Trail, entry: Entry, options: LiveOptions): Promise<void> | undefined {
  const { server, link } = entry;
  if (!link.link.settled || server.breaker.closedFor() !== undefined || session.awaited.size > 0)
    return connectFirst(session, trail, entry, options);
  refuseChanged(session, trail, entry);
  return undefined;
}

async function connectFirst(session: SessionState, trail: Trail, entry: Entry, options: LiveOptions): Promise<void> {
  if (session.awaited.size > 0) await cutShort(startServers(session), options.signal);
  refuseStopped({ session, trail, options });
  await cutShort(connect(session.team, entry.server, entry.link), options.signal);
  refuseStopped({ session, trail, options });
  refuseChanged(session, trail, entry);
}

/** A person takes his time: what was true of the server and of the tool before is looked at again. */
async function askOrRefuse(session: SessionState, trail: Trail, entry: Entry, options: LiveOptions): Promise<void> {
  const began = session.team.elapsed();
  const no = await askedNo(session, trail, entry, options);
  trail.askedMs = session.team.elapsed() - began;
  trail.ask = no === undefined ? "yes" : no === SAID_NO ? "no" : "none";
  refuseStopped({ session, trail, options });
  if (no !== undefined)
    throw refusal(
      session,
      trail,
      "ask-refused",
      `\`${shown(trail.server)}.${shown(trail.tool)}\` is asked first, and ${no}`,
    );
  await connected(session, trail, entry, options);
}

function placeOf({ team, role }: SessionState, trail: Trail, entry: Entry): AnswerPlace | undefined {
  const { server, link, tool, cacheMs } = entry;
  if (cacheMs === undefined || server.unsettledUntil > team.elapsed()) return undefined;
  // Servers may share a pin, so that the digest alone doesn't tell whose answer it is.
  const key = `${role.name}\n${tool.digest}\n${canonicalText(trail.args)}`;
  return team.answers.place(trail.server, key, { link, compared: link.link.compared, writes: server.writes }, cacheMs);
}

/** What is longer isn't masked: it would hold the app, and nobody reads it. A part of it could show half a secret. */
const MOST_TOLD = 64 * 1024;

function toldAnswer({ team }: SessionState, { raw }: LinkResult): JsonValue {
  if (sizeLeft(raw, MOST_TOLD) >= 0) return team.secrets.json(raw);
  return `left out: the answer has more than ${MOST_TOLD} characters`;
}

function resultOf(session: SessionState, trail: Trail, entry: Entry, sent: LinkResult): ToolResult<unknown> {
  trail.result = sent;
  const read = readResult(entry, sent);
  const { server, tool } = trail;
  if ("wrong" in read)
    throw refusal(
      session,
      trail,
      "tool-failed",
      `\`${shown(server)}.${shown(tool)}\` failed: ${told(session.team.secrets, read.wrong, 2_000)}`,
      { cause: toldAnswer(session, sent) },
    );
  const meta = {
    server,
    tool,
    durationMs: session.team.elapsed() - trail.started - trail.askedMs,
    transport: sent.info.transport,
    retries: trail.retries,
    cached: trail.cached,
    untrusted: isUntrusted(entry.tool),
    raw: sent.raw,
  };
  return { structured: read.structured, text: read.text, content: read.content, meta };
}
