import type { ErrorCode } from "../api.ts";
import type { Secrets } from "../secrets.ts";
import { OF_OTHERS } from "../untrusted.ts";

/** What an agent can be told when a call didn't come about: the server, what to do instead, when a try makes sense. */

export interface Trouble {
  readonly code: ErrorCode;
  readonly message: string;
  readonly whenDown: string | undefined;
  /** Until the next try. */
  readonly retryInMs: number | undefined;
  /** The message has words that others wrote. */
  readonly untrusted?: boolean;
}

/** One line. What it is comes first, what we say comes whole, `whenDown` as far as there is room, and what others said is cut first. */
export function adviceFor(trouble: Trouble): string {
  return trouble.untrusted === true
    ? `${OF_OTHERS} ${adviceWithin(LONGEST_ADVICE - OF_OTHERS.length - 1, trouble)}`
    : adviceWithin(LONGEST_ADVICE, trouble);
}

function adviceWithin(longest: number, { code, message, whenDown = "", retryInMs }: Trouble): string {
  const why = onOneLine(message);
  const project = UNAVAILABLE.has(code) ? onOneLine(whenDown) : "";
  const [instead, next] = [INSTEAD.get(code) ?? "", nextTry(code, retryInMs)];
  const ours = joined(instead, next);
  const advice = joined(joined(sentence(why), sentence(project)), ours);
  if (advice.length <= longest) return advice;
  const room = longest - instead.length - next.length - 2;
  const cut = cutTo(why, Math.max(LEAST_WHY, room - project.length - 2));
  return joined(joined(sentence(cut), sentence(cutTo(project, Math.max(0, room - cut.length - 2)))), ours);
}

function joined(one: string, other: string): string {
  return one === "" || other === "" ? one + other : `${one} ${other}`;
}

/** Characters. */
export const LONGEST_ADVICE = 300;
const LEAST_WHY = 100;

function nextTry(code: ErrorCode, retryInMs: number | undefined): string {
  if (retryInMs !== undefined && retryInMs > 0) return `The next try makes sense in ${Math.ceil(retryInMs / 1000)} s.`;
  return code === "server-unavailable" ? "It may be tried again in a few seconds." : "";
}

function onOneLine(text: string): string {
  if (PLAIN.test(text)) return text;
  return shown(text.replace(/\s+/g, " ").trim(), text.length);
}

/** As nearly all names and all of our own words are: looked at for each refusal. */
const PRINTABLE = /^[\x20-\x7e]*$/;
const PLAIN = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** Between characters, as people count them. */
function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, Math.max(0, most - 1));
  return most < 2 ? "" : `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
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
  return text === "" || /[.!?…]$/.test(text) ? text : `${text}.`;
}

const UNSHOWABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const LONGEST = 200;

/** Text of strangers within ours: on one line, without control or invisible characters, not too long. */
export function shown(text: string, longest: number = LONGEST): string {
  if (text.length <= longest && PRINTABLE.test(text)) return text;
  return cut(text, longest).replace(UNSHOWABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

/** A name that nobody gave, as it was asked for: it is data, and no text within ours. */
export function unknownName(secrets: Secrets, name: string): string {
  return cut(secrets.beginning(name, LONGEST), LONGEST);
}

/** Masked too, and before it is cut: half a secret would pass for none. */
export function told(secrets: Secrets, text: string, longest: number = LONGEST): string {
  return shown(secrets.beginning(text, longest), longest);
}
