import type { ErrorCode } from "../api.ts";

/** What an agent can be told when a call didn't come about: the server, what to do instead, when a try makes sense. */

export interface Trouble {
  readonly code: ErrorCode;
  readonly message: string;
  readonly whenDown: string | undefined;
  /** Until the next try. */
  readonly retryInMs: number | undefined;
}

export function adviceFor({ code, message, whenDown, retryInMs }: Trouble): string {
  const sentences = [sentence(message)];
  if (UNAVAILABLE.has(code) && whenDown !== undefined) sentences.push(sentence(whenDown));
  const instead = INSTEAD.get(code);
  if (instead !== undefined) sentences.push(instead);
  if (retryInMs !== undefined && retryInMs > 0)
    sentences.push(`The next try makes sense in ${Math.ceil(retryInMs / 1000)} s.`);
  else if (code === "server-unavailable") sentences.push("It may be tried again in a few seconds.");
  return sentences.join(" ");
}

/** The server is of no use for the moment, whatever the tool. */
export const UNAVAILABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "server-unavailable",
  "timeout",
  "needs-auth",
  "auth-failed",
  "missing-variable",
]);

const INSTEAD: ReadonlyMap<ErrorCode, string> = new Map<ErrorCode, string>([
  ["tool-denied", "Go on without it; another name or way won't open it."],
  ["tool-unknown", "Take the name from the list of tools."],
  ["ask-refused", "Go on without it, and don't ask again for the same."],
  ["argument-refused", "Call it with other arguments."],
  ["tool-changed", "It is closed until somebody has looked at the change with `rolecall capture`."],
]);

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const LONGEST = 200;

/** Text of strangers within ours: on one line, without control or invisible characters, not too long. */
export function shown(text: string, longest: number = LONGEST): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}...` : text;
  return cut.replace(UNSHOWABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
