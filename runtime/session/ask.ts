import { createHash, randomUUID } from "node:crypto";
import type { AskAnswer, AskRequest } from "../api.ts";
import { canonicalText } from "../canonical.ts";
import { timerMs } from "../connect/in-time.ts";
import type { Secrets } from "../secrets.ts";
import { shown, told } from "./degradation.ts";
import type { Entry, LiveOptions, SessionState, Trail } from "./types.ts";
import { anyOf } from "./waiting.ts";

/** One question to a person about one call. Whatever isn't plainly a yes is a no. */

/** Of all the reasons the one that somebody gave. */
export const SAID_NO = "the answer was no";
const FIVE_MINUTES = 5 * 60_000;

/** Why the answer is no, as the end of a sentence, or undefined for a yes. */
export async function askedNo(
  session: SessionState,
  trail: Trail,
  entry: Entry,
  { signal, ask: own }: LiveOptions,
): Promise<string | undefined> {
  const { options, clock, closing, elapsed, secrets } = session.team;
  const ask = own ?? options.ask;
  if (ask === undefined) return "nobody is there to ask";
  const timeoutMs = timerMs(options.askTimeoutMs ?? FIVE_MINUTES);
  const leftMs = trail.deadline === undefined ? timeoutMs : trail.deadline.at - elapsed();
  const request = requestFor(session, trail, entry, Math.floor(clock.now() + Math.min(timeoutMs, leftMs)));
  const answered = new AbortController();
  const over = anyOf([signal, closing.signal, session.closing.signal, answered.signal]);
  const late = (): string => "nobody answered in time";
  try {
    const answer = answerTo(ask, request, trail, secrets);
    const no = await Promise.race([answer, clock.sleep(timeoutMs, over.signal).then(late, late)]);
    return no ?? (clock.now() > request.expires ? late() : undefined);
  } finally {
    answered.abort();
    over.release();
  }
}

/** Frozen: the asker sees what will be sent, and can't change it. */
function requestFor(session: SessionState, trail: Trail, { tool }: Entry, expires: number): AskRequest {
  const about = {
    id: randomUUID(),
    role: session.role.name,
    server: trail.server,
    tool: trail.tool,
    title: shown(tool.title ?? trail.tool),
    args: trail.args,
    plan: tool.digest,
    expires,
  };
  return Object.freeze({ ...about, hash: sha256(canonicalText(about)) });
}

export function sha256(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

async function answerTo(
  ask: (request: AskRequest) => AskAnswer | Promise<AskAnswer>,
  request: AskRequest,
  trail: Trail,
  secrets: Secrets,
): Promise<string | undefined> {
  try {
    const answer: unknown = await ask(request);
    if (answer === true) return undefined;
    if (answer === undefined) return "nobody answered";
    if (typeof answer !== "object" || answer === null) return SAID_NO;
    if ("by" in answer && typeof answer.by === "string") trail.by = told(secrets, answer.by);
    const isYes = "yes" in answer && answer.yes === true;
    return isYes ? undefined : SAID_NO;
  } catch {
    return "asking failed";
  }
}
