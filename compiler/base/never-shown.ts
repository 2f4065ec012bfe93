import type { Stretch } from "./place.ts";
import {
  ANY_SHAPE_SPOKEN,
  beginning,
  INTRODUCED,
  isPlaceholder,
  isSecretName,
  mayHoldToken,
} from "./secret-patterns.ts";

/** The text without what may be a secret: by its form, by what stands before it, by the name of it. For what is shown, whoever asks. */
export function withoutTokens(text: string): string {
  return shortened(text, tokensIn(text), 0, text.length);
}

/** Sorted, none in another. It takes no longer than the text is long: a line may be a whole manifest of a stranger's. */
export function tokensIn(text: string): Stretch[] {
  const patterns = mayHoldToken(text) ? [ANY_SHAPE_SPOKEN, ...INTRODUCED] : INTRODUCED;
  const byForm = patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), stretchOf));
  return apart([...byForm, ...namedValues(text)]);
}

/** Stretches that overlap become one. */
export function apart(stretches: readonly Stretch[]): Stretch[] {
  const sorted = [...stretches].sort((a, b) => a[0] - b[0]);
  const found: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = found.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else found.push([start, end]);
  }
  return found;
}

/** A part of the text, with the beginning of each hidden stretch in its place: it tells which one it is. */
export function shortened(text: string, hidden: readonly Stretch[], from: number, to: number): string {
  let shown = "";
  let at = from;
  for (const [start, end] of hidden) {
    if (start >= to) break;
    if (start < at || end > to) continue;
    shown += `${text.slice(at, start)}${beginning(text.slice(start, end))}`;
    at = end;
  }
  return shown + text.slice(at, to);
}

/** `secret` is the part that is hidden, where a pattern names one. */
function stretchOf(match: RegExpExecArray): Stretch {
  const [start, end] = match.indices!.groups?.secret ?? match.indices![0]!;
  return [start, end];
}

/** A name and what may stand between it and its value: `KEY: [x`, `"key": "x`, `key=x`, `${KEY:-x`; behind a flag a space or a comma too. */
const NAME =
  /(?<![\w.-])(?:(--?)(?=[A-Za-z]))?([A-Za-z_][\w.-]{0,80})\\{0,3}["']?(\s{0,9}(?::[-+]?|=)[\s[>|-]{0,200}|[\s,]["'[\s,-]{0,200})/g;
/** The quote, and words before the value itself. */
const LEAD = /\\{0,3}(["']?)(?:(?:bearer|basic|token|api-?key)\s{1,9})?/iy;
const VALUES: Readonly<Record<string, RegExp>> = { '"': /[^"{}]/, "'": /[^'{}]/, "": /[^\s"'`,{}[\]&#]/ };
const SHORTEST = 12;
/** What is longer is judged by its beginning. */
const JUDGED = 500;

function namedValues(text: string): Stretch[] {
  const found: Stretch[] = [];
  const names = new RegExp(NAME);
  for (let match = names.exec(text); match; match = names.exec(text)) {
    const [{ length }, dash, name = "", between = ""] = match;
    const isGiven = dash !== undefined || /[:=]/.test(between);
    const told = isGiven && namesSecret(name, text[match.index - 1]) ? toldAt(text, names.lastIndex) : [];
    found.push(...told);
    // What follows may be a name itself: `--auth --api-key x`.
    names.lastIndex = told.at(-1)?.[1] ?? match.index + length - between.length;
  }
  return found;
}

function namesSecret(name: string, before: string | undefined): boolean {
  const inQuery = (before === "?" || before === "&") && /^(key|sig)$/i.test(name);
  return inQuery || isSecretName(name) || /^authorization$/i.test(name);
}

/** The words of a value that give something away. */
function toldAt(text: string, from: number): Stretch[] {
  const [lead = "", quote = ""] = matchAt(LEAD, text, from);
  const start = from + lead.length;
  const { source } = VALUES[quote]!;
  const [judged = ""] = matchAt(new RegExp(`${source}{0,${JUDGED}}`), text, start);
  const rest = new RegExp(`(?:(?!\\s)${source})*`);
  const told = Array.from(judged.matchAll(/\S+/g), ({ 0: word, index }) => ({ word, at: start + index }));
  return told
    .filter(({ word }) => givesAway(word))
    .map(({ word, at }) => [at, at + word.length + (matchAt(rest, text, at + word.length)[0] ?? "").length] as const);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | readonly string[] {
  const sticky = new RegExp(pattern.source, "iy");
  sticky.lastIndex = at;
  return sticky.exec(text) ?? [];
}

/** The rest of an address: its scheme, or the port behind a host's name. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|\d{2,5}\/)/i;

/** Words, addresses, placeholders and short things don't. */
function givesAway(word: string): boolean {
  return word.length >= SHORTEST && !isPlaceholder(word) && !ADDRESS.test(word) && !isPlain(word);
}

const PLAIN = /^(?:[A-Z]?[a-z]{1,16}|[A-Z]{1,16})?\d{0,2}$|^\d{1,6}$|^\P{ASCII}+$/u;

/** `read_only_access`, `GITHUB_TOKEN_2`, `listAllIssues`; letters with digits in between are none, nor are letters in a row of both cases. */
function isPlain(word: string): boolean {
  const parts = word.replace(/([a-z])(?=[A-Z])/g, "$1 ").match(/[\p{L}\p{N}]+/gu) ?? [];
  return parts.length * 4 <= word.length + 4 && parts.every((part) => PLAIN.test(part));
}
