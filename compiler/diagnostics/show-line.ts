import { hiddenOnLine } from "../base/hidden-values.ts";
import { apart, shortened } from "../base/never-shown.ts";
import type { Stretch } from "../base/place.ts";
import type { Locate, Located, Place, Span } from "../base/place.ts";

export type Show = (place: Place) => Shown | undefined;

export interface Shown {
  readonly span: Span;
  /** What is masked on that line, as it stands there: a message about it may repeat it without its name. */
  readonly masked: readonly string[];
  /** Words and short ones: masked where a message quotes them. */
  readonly quoted: readonly string[];
}

/**
 * Lines go to logs and pull requests, whoever points at them: what may be a secret is masked on the whole line, and
 * only then it is cut. `places` are all that will be shown: each may bring a secret, and a declaration that is broken
 * otherwise isn't searched.
 */
export function showing(places: readonly Place[], locate: Locate): Show {
  const known = new Map<string, Hidden>();
  const hiding = places.filter(({ hide }) => hide !== undefined);
  const secrets = new Set([...new Set(hiding.flatMap(hiddenBy))].filter((hide) => !isWord(hide)).flatMap(spellings));
  const words = stretchesOfWords(hiding, locate);
  return (place) => {
    const at = locate(place);
    if (!at) return undefined;
    const line = lineOf(at);
    const hidden = known.get(line) ?? hiddenOn(at, secrets, words.get(line) ?? []);
    known.set(line, hidden);
    return { span: cut(at, hidden.stretches), masked: hidden.texts, quoted: quotedAt(at, hidden) };
  };
}

function hiddenBy({ hide }: Place): readonly string[] {
  return hide === undefined ? [] : typeof hide === "string" ? [hide] : hide;
}

interface Hidden {
  readonly stretches: readonly Stretch[];
  readonly texts: readonly string[];
}

/** Found once for a line, however many places are on it. `secrets`: as they may be spelt. */
function hiddenOn(at: Located, secrets: Iterable<string>, words: readonly Stretch[]): Hidden {
  const stretches = hiddenIn(at, secrets, words);
  const texts = stretches.map(([start, end]) => at.text.slice(start, end)).filter((text) => !isWord(text));
  return { stretches, texts: [...new Set(texts)] };
}

const MOST_QUOTED = 200;

/** A message about the value itself repeats it, or the words of it. */
function quotedAt({ text, column, length }: Located, { stretches }: Hidden): readonly string[] {
  const near = touching(stretches, column - 1, column - 1 + length).slice(0, MOST_QUOTED);
  return near
    .flatMap(([start, end]) => [text.slice(start, end), ...text.slice(start, end).split(/\s+/)])
    .filter((word) => isWord(word) && /\w/.test(word));
}

/** `postgres` as a password: masked where it stands as one, and not in every sentence about a server of that name. */
function isWord(secret: string): boolean {
  return /^[A-Za-z]*$|^.{0,7}$/.test(secret);
}

/** And what has escapes and holds a secret that the line doesn't spell. */
function stretchesOfWords(hiding: readonly Place[], locate: Locate): ReadonlyMap<string, readonly Stretch[]> {
  const stretches = new Map<string, Stretch[]>();
  // A value may be long, and have many places of one secret.
  const known = new Map<string, readonly Stretch[]>();
  for (const place of hiding) {
    const at = locate(place);
    if (!at) continue;
    const line = lineOf(at);
    const start = at.column - 1;
    const marked = at.text.slice(start, start + at.length);
    for (const secret of hiddenBy(place)) {
      const key = JSON.stringify([line, start, at.length, secret]);
      const spelt = known.get(key) ?? occurrences(marked, spellings(secret));
      known.set(key, spelt);
      const ofLine = stretches.get(line) ?? [];
      stretches.set(line, ofLine);
      if (isWord(secret)) for (const [from, to] of spelt) ofLine.push([start + from, start + to]);
      else if (spelt.length === 0 && marked.includes("\\")) ofLine.push([start, start + at.length]);
    }
  }
  return stretches;
}

function lineOf(at: Located): string {
  return `${at.line} ${at.file}`;
}

function hiddenIn(at: Located, secrets: Iterable<string>, words: readonly Stretch[]): Stretch[] {
  const found = occurrences(at.text, secrets);
  return apart([...hiddenOnLine(at), ...found, ...words]);
}

function occurrences(text: string, spellings: Iterable<string>): Stretch[] {
  const found: Stretch[] = [];
  for (const spelt of spellings)
    for (let at = text.indexOf(spelt); at !== -1; at = text.indexOf(spelt, at + spelt.length))
      found.push([at, at + spelt.length]);
  return found;
}

/** As it may be written: a dollar twice where references are read, and as JSON and quoted YAML have it. */
function spellings(secret: string): readonly string[] {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const doubled = secret.replaceAll("$", "$$$$");
  return [...new Set([secret, doubled, inJson(secret), inJson(doubled)])];
}

const LONGEST = 500;
const BEFORE = 150;

/** The marker stays on what it marks. It takes a token whole that it would cut in two, and so do the ends of the line. */
function cut({ file, line, column, length, text }: Located, ofLine: readonly Stretch[]): Span {
  const from = column - 1;
  const first = text.length <= LONGEST ? 0 : Math.max(0, Math.min(from - BEFORE, text.length - LONGEST));
  const last = Math.min(text.length, first + LONGEST);
  const hidden = touching(ofLine, Math.min(from, first), Math.max(from + length, last));
  const start = startOf(from, hidden);
  const end = Math.max(start, endOf(Math.min(from + length, last), hidden));
  const left = Math.min(start, startOf(first, hidden));
  const right = Math.max(end, endOf(last, hidden));
  const before = (left > 0 ? "…" : "") + shortened(text, hidden, left, start);
  const marked = shortened(text, hidden, start, end);
  const after = shortened(text, hidden, end, right) + (right < text.length ? "…" : "");
  return {
    file,
    line,
    column,
    length: Math.max(1, marked.length),
    text: before + marked + after,
    textColumn: before.length + 1,
  };
}

/** A line of a stranger's may hide thousands, and have hundreds of places. */
function touching(sorted: readonly Stretch[], from: number, to: number): readonly Stretch[] {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]![1] < from) low = middle + 1;
    else high = middle;
  }
  const found: Stretch[] = [];
  for (let i = low; i < sorted.length && sorted[i]![0] <= to; i++) found.push(sorted[i]!);
  return found;
}

/** The offset, or the start of the stretch that it lies in. */
function startOf(at: number, hidden: readonly Stretch[]): number {
  return hidden.find(([start, end]) => start < at && at < end)?.[0] ?? at;
}

function endOf(at: number, hidden: readonly Stretch[]): number {
  return hidden.find(([start, end]) => start < at && at < end)?.[1] ?? at;
}
