import { SHAPES } from "./secret-shapes.ts";

/** A token in a form that an issuer gives its own, and where it stands. */
export interface Issued {
  readonly token: string;
  readonly at: number;
}

/** Every token in a text. A text is looked at closely only around what may be one: manifests are long. */
export function* issuedTokens(text: string): Generator<Issued> {
  let until = 0;
  for (const [from, to] of windows(text)) {
    for (const match of text.slice(from, to).matchAll(ANY_SHAPE)) {
      const at = from + match.index;
      if (at < until) continue;
      const isCut = at + match[0].length === to;
      const token = isCut ? wholeToken(text, at) : match[0];
      until = at + token.length;
      if (!isFilledIn(token)) continue;
      yield { token, at };
    }
  }
}

/** Of one that reaches beyond what was looked at. */
function wholeToken(text: string, at: number): string {
  const [match] = text.slice(Math.max(0, at - 1), at + LONGEST).matchAll(ANY_SHAPE);
  return match?.[0] ?? text.slice(at, at + SHORTEST_RUN);
}

/** `ghp_xxxxxxxx`, forty zeros: what people write where a token will stand. */
function isFilledIn(token: string): boolean {
  return new Set(token.slice(-12)).size > 1;
}

export function issuedToken(text: string): string | undefined {
  for (const { token } of issuedTokens(text)) return token;
  return undefined;
}

/** Whether a text may hold one at all. */
export function mayHoldToken(text: string): boolean {
  return !windows(text).next().done;
}

const ANY_SOURCE = SHAPES.map(([, pattern]) => pattern.source).join("|");
const ANY_SHAPE = new RegExp(ANY_SOURCE, "g");
/** For masking, where a text may have been shouted or whispered. */
export const ANY_SHAPE_SPOKEN: RegExp = new RegExp(ANY_SOURCE, "dgi");

/** No shape is without so many letters, digits, `_` and `-` in a row. */
const SHORTEST_RUN = 16;
/** How far a token may reach beyond the run that gave it away: a JWT has dots, a key's header a second word. */
const BEFORE = 60;
const BEHIND = 60;
const LONGEST = 10_000;
/** What a key begins with whose headers may be longer, and addresses whose secret looks like any other id. */
const HEADS = ["PRIVATE KEY", "PuTTY-User-Key-File-", "mcp.zapier.com/api/", "office.com/webhook"] as const;

/** Stretches that may hold a token, in order. Most characters of a text aren't looked at. */
function* windows(text: string): Generator<readonly [from: number, to: number]> {
  if (HEADS.some((one) => text.includes(one))) return yield [0, text.length];
  let at = SHORTEST_RUN - 1;
  while (at < text.length) {
    // A run that is long enough and goes through here holds all of these, or begins in them.
    let start = at;
    while (start > at - SHORTEST_RUN && OF_RUN[text.charCodeAt(start)] === 1) start--;
    if (start > at - SHORTEST_RUN) {
      at = start + SHORTEST_RUN;
      continue;
    }
    while (start >= 0 && OF_RUN[text.charCodeAt(start)] === 1) start--;
    let end = at + 1;
    while (OF_RUN[text.charCodeAt(end)] === 1) end++;
    if (isSuspect(text, start + 1, end)) yield [Math.max(0, start + 1 - BEFORE), end + BEHIND];
    at = end + SHORTEST_RUN;
  }
}

const JUDGED = 300;

/** Digests and UUIDs are in every manifest, and names of words everywhere. */
function isSuspect(text: string, start: number, end: number): boolean {
  const run = text.slice(start, Math.min(end, start + JUDGED));
  if (HEX.test(run) && DIGESTS.has(run.length))
    return /[$.]$|\d{10}:$/.test(text.slice(Math.max(0, start - 12), start));
  return !UUID.test(run) && isRandom(run);
}

const HEX = /^[0-9a-f]+$/;
const DIGESTS: ReadonlySet<number> = new Set([32, 40, 56, 64, 96, 128]);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Words change seldom between letters and digits, and have one capital each, at their beginning. */
function isRandom(run: string): boolean {
  const changes = run.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z](?![a-z]{2}))/g)?.length ?? 0;
  return (
    changes >= 3 || /(?=\d{0,15}[A-Z])[A-Z0-9]{16}|[A-Za-z]{24}|\b(?:gl[a-z]{2,5}-|sk-|[rs]k_|gh[pousr]_)/.test(run)
  );
}

/** By the code of a character. A table, since a build is over before a longer test would have become quick. */
const OF_RUN: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

const SECRET_WORD =
  /(^|[_\-.])(token|secret|password|passwd|pwd|api[_-]?key|apikey|access[_-]?key|private[_-]?key|credentials?|pat|auth)($|[_\-.])/i;

/** What people write where a secret will stand. */
const PLACEHOLDER =
  /^(<.*>|\[.*\]|\{.*\}|your[-_ ].*|my[-_ ].*|change[-_ ]?me|replace[-_ ]?me|example.*|placeholder.*|dummy.*|fake.*|x{3,}|\*{3,}|\.{3,}|…|none|null|undefined|true|false|\d{1,6}|test|todo)$/i;

/** For masking: a name that has to do with secrets. What may not be written under a name at all is `saysSecret`. */
export function isSecretName(name: string): boolean {
  return SECRET_WORD.test(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/** Letters with digits in between, and no words. */
export function looksRandom(value: string): boolean {
  return value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
}

/** So much of a secret is shown that whoever wrote it knows which one it is: never more than a quarter. */
export function beginning(secret: string): string {
  return `${secret.slice(0, Math.min(4, Math.floor(secret.length / 4)))}…`;
}

export function maskedWords(secret: string): string {
  return `\`${beginning(secret)}\` (${secret.length} characters)`;
}

/** What may stand before a token that its issuer gives no form of its own. */
export const INTRODUCED: readonly RegExp[] = [
  /\b(?:bearer|basic)\s{1,9}(?<secret>[\w.~+/=-]{12,})/dgi,
  /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:]{0,200}:(?<secret>[^\s/?#@]{4,})(?=@)/dgi,
  /\bhttps?:\/\/(?<secret>(?=[^\s/?#@:]{0,200}\d)(?=[^\s/?#@:]{0,200}[a-z])[^\s/?#@:]{8,200})(?=@)/dgi,
  // A line of a key, which an error points at where it isn't indented like the others.
  /^[ \t"'-]*(?<secret>(?=(?:[A-Za-z+/]{0,40}\d){3})(?=[a-z\d+/]{0,40}[A-Z])(?=[A-Z\d+/]{0,40}[a-z])[A-Za-z\d+/]{40,}={0,2})[ \t\r"']*$/dgm,
];
