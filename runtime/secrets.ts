import type { JsonValue } from "./contract.ts";
import { asItIs, decodedTexts, HINTS_LIST, listedTexts } from "./decoded-text.ts";
import { secretParts } from "./secret-parts.ts";
import type { ServerData, TemplateData } from "./server-data.ts";

/**
 * Values that must not leave: in errors, records, events and pages of the command each stands as `***`. The one masker of
 * known values; whoever masks a text does it before he cuts it, since half a secret isn't known as one.
 */
export interface Secrets {
  add(value: string): void;
  text(text: string): string;
  /** Of a text that may have been cut before: what a secret begins or ends with, at its ends, goes too. */
  cutText(text: string): string;
  json(value: JsonValue): JsonValue;
}

/** An expression made of longer ones may be too large to be one, and the error about it would show them. */
const LONGEST_IN_PATTERN = 1_000;

/** What is shorter is found in innocent text too. */
const SHORTEST = 6;

/** Of a text, from one place to another. */
type Stretch = readonly [from: number, to: number];

export function createSecrets(shortest: number = SHORTEST): Secrets {
  const values = new Set<string>();
  let known: Needles | undefined;
  const needles = (): Needles => (known ??= needlesOf(values, shortest));
  const text = (given: string): string => (values.size === 0 ? given : withoutSecrets(given, needles()));
  return {
    add(value) {
      if (value.length < shortest || values.has(value)) return;
      values.add(value);
      known = undefined;
    },
    cutText: (given) => (values.size === 0 ? given : withoutRests(text(given), needles().all)),
    text,
    json: (value) => (values.size === 0 ? value : masked(value, text)),
  };
}

/** What is looked for in a text, and in what it is without its escapes. */
interface Needles {
  readonly all: readonly string[];
  readonly long: readonly string[];
  /** As it is. Each needle costs every text: few texts have anything of the other two kinds. */
  readonly plain: RegExp;
  /** In hexadecimal and base64, in texts that have such a piece. */
  readonly coded: RegExp;
  readonly hasCoded: RegExp;
  /** No shorter text has anything in hexadecimal, in base64 or in a list. */
  readonly leastCoded: number;
  /** In hexadecimal with something between the pairs. */
  readonly pairs: RegExp;
  readonly shortest: number;
}

function needlesOf(values: ReadonlySet<string>, shortest: number): Needles {
  const parts = [...new Set([...values].flatMap((value) => secretParts(value)))];
  const isWanted = (one: string): boolean => one.length >= shortest;
  const [plain, coded] = [spellingsOf, encodingsOf].map((spell) => longestFirst(parts.flatMap(spell).filter(isWanted)));
  const all = longestFirst([...plain!, ...coded!]);
  const short = (spellings: readonly string[]): string[] =>
    spellings.filter(({ length }) => length <= LONGEST_IN_PATTERN);
  const [apart, together] = [true, false].map((isApart) =>
    short(coded!).filter((one) => IN_PAIRS.test(one) === isApart),
  );
  const leastCoded = Math.min(LONGEST_HINT, together!.at(-1)?.length ?? LONGEST_HINT);
  return {
    all,
    long: all.filter(({ length }) => length > LONGEST_IN_PATTERN),
    plain: patternOfAny(short(plain!)),
    coded: patternOfAny(together!),
    // A count would be four times as slow.
    hasCoded: new RegExp("[A-Za-z0-9+/_-]".repeat(leastCoded)),
    leastCoded: Math.min(leastCoded, LEAST_IN_PAIRS),
    pairs: patternOfAny(apart!),
    shortest: all.at(-1)?.length ?? Infinity,
  };
}

/** Four pairs: few values are shorter. */
const LEAST_IN_PAIRS = 11;
/** Looked for at every place of a text. */
const LONGEST_HINT = 20;

function longestFirst(spellings: readonly string[]): string[] {
  return [...new Set(spellings)].sort((a, b) => b.length - a.length);
}

const IN_PAIRS = /^[0-9a-f]{2}(?:[ :-][0-9a-f]{2}){2,}$/i;
const HAS_PAIRS = /[ :-][0-9A-Fa-f]{2}[ :-][0-9A-Fa-f]{2}[ :-]/;
const HAS_BYTES = new RegExp(`${HAS_PAIRS.source}|${HINTS_LIST.source}`);

function withoutSecrets(given: string, needles: Needles): string {
  // No text is longer without its escapes.
  if (given.length < needles.shortest) return given;
  const layers = decodedTexts(given);
  if (layers.length === 0 && isOneText(given, needles)) {
    if (given.length < needles.leastCoded || !needles.hasCoded.test(given)) return given.replace(needles.plain, "***");
    // A path looks like base64, and nearly none is.
    if (given.search(needles.plain) === -1 && given.search(needles.coded) === -1) return given;
  }
  const found = [asItIs(given), ...layers].flatMap((layer) =>
    [layer, ...listedTexts(layer)].flatMap(({ text, source }) =>
      stretchesOf(text, needles).map((one) => source(...one)),
    ),
  );
  return found.length === 0 ? given : withoutStretches(given, found);
}

/** Nothing in it means another text. */
function isOneText(text: string, { long, leastCoded }: Needles): boolean {
  return long.length === 0 && (text.length < leastCoded || !HAS_BYTES.test(text));
}

function stretchesOf(text: string, { long, plain, coded, hasCoded, pairs }: Needles): Stretch[] {
  const patterns = [plain];
  if (hasCoded.test(text)) patterns.push(coded);
  if (HAS_PAIRS.test(text)) patterns.push(pairs);
  const found: Stretch[] = [];
  for (const pattern of patterns)
    if (text.search(pattern) !== -1)
      for (const { 0: one, index = 0 } of text.matchAll(pattern)) found.push([index, index + one.length]);
  for (const one of long)
    for (let at = text.indexOf(one); at !== -1; at = text.indexOf(one, at + one.length))
      found.push([at, at + one.length]);
  return found;
}

/** What overlaps is one. */
function withoutStretches(given: string, found: Stretch[]): string {
  let [clean, end] = ["", 0];
  for (const [from, to] of found.sort(([a], [b]) => a - b)) {
    if (from >= end) clean += `${given.slice(end, from)}***`;
    end = Math.max(end, to);
  }
  return clean + given.slice(end);
}

/** Of a half secret that a text begins or ends with: less of it tells nothing, and words begin like it. */
function shortestRest(secret: string): number {
  return Math.max(SHORTEST, Math.floor(secret.length / 4));
}

/** What is left of an escape at the end that was cut, and how much there may be at the start. */
const CUT_ESCAPE = /(?:\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|%[0-9a-f]?|&#?[a-z0-9]{0,8})$/i;
const MOST_OF_ESCAPE = 8;

/** Of backslashes there may be any number. */
function withoutCutEscape(text: string): string {
  const end = Math.max(0, text.length - 2 - MOST_OF_ESCAPE);
  return withoutEnd(text.slice(0, end) + text.slice(end).replace(CUT_ESCAPE, ""), "\\");
}

/** An expression would begin anew at each of them. */
function withoutEnd(text: string, sign: string): string {
  let end = text.length;
  while (text[end - 1] === sign) end--;
  return text.slice(0, end);
}

function withoutRests(given: string, needles: readonly string[]): string {
  const [from, to] = restsOf(given, needles);
  if (from === 0 && to === given.length) return given;
  return `${from > 0 ? "***" : ""}${given.slice(from, Math.max(from, to))}${to < given.length ? "***" : ""}`;
}

/** Where what isn't the end or the beginning of a secret begins and ends. A letter of several bytes may be cut within. */
function restsOf(given: string, needles: readonly string[]): Stretch {
  let [from, to] = [0, given.length];
  for (const { text, source } of [asItIs(given), ...decodedTexts(withoutCutEscape(given))]) {
    const end = withoutEnd(text, "\ufffd").length;
    const at = beginOfRest(text.slice(0, end), needles);
    if (at < end) to = Math.min(to, source(at, end)[0]);
  }
  for (const { text, source } of [asItIs(given), ...decodedTexts(given)])
    for (let skipped = 0; skipped <= MOST_OF_ESCAPE; skipped++) {
      const begin = skipped + /^\ufffd*/.exec(text.slice(skipped))![0].length;
      const at = endOfRest(text.slice(begin), needles);
      if (at > 0) from = Math.max(from, source(begin, begin + at)[1]);
    }
  return [from, to];
}

function endOfRest(text: string, needles: readonly string[]): number {
  const first = text[0];
  let end = 0;
  for (const one of needles) {
    const least = Math.max(end + 1, shortestRest(one));
    for (let length = Math.min(one.length - 1, text.length); length >= least; length--)
      if (one[one.length - length] === first && text.startsWith(one.slice(-length))) end = Math.max(end, length);
  }
  return end;
}

function beginOfRest(text: string, needles: readonly string[]): number {
  const last = text.at(-1);
  let begin = text.length;
  for (const one of needles) {
    const least = Math.max(text.length - begin + 1, shortestRest(one));
    for (let length = Math.min(one.length - 1, text.length); length >= least; length--)
      if (one[length - 1] === last && text.endsWith(one.slice(0, length)))
        begin = Math.min(begin, text.length - length);
  }
  return begin;
}

/** As it is and without its escapes, each as forms write spaces, and what is shown of a list of its bytes. */
function spellingsOf(value: string): string[] {
  const texts = [value, ...decodedTexts(value).map(({ text }) => text)];
  const forms = texts.filter((text) => text.includes(" ")).map((text) => text.replaceAll(" ", "+"));
  const shown = value.length > SHOWN_NUMBERS ? [Buffer.from(value).toString("utf8", 0, SHOWN_NUMBERS)] : [];
  return [...texts, ...forms, ...shown];
}

/** In hexadecimal and in base64, also of text in two bytes a letter and of what is in base64 already. */
function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  // Whichever byte comes first: of both the same is certain.
  const wide = Buffer.from(value, "utf16le").subarray(0, /[\0-\xff]$/.test(value) ? -1 : undefined);
  const hexadecimal = [...inHexadecimal(bytes), ...inHexadecimal(wide)];
  const base64 = inBase64(bytes);
  return [
    ...hexadecimal,
    ...hexadecimal.map((text) => text.toUpperCase()),
    ...base64,
    ...inBase64(wide),
    ...base64.flatMap((text) => inBase64(Buffer.from(text))),
  ];
}

/** Of a buffer and of a list Node shows so many. */
const SHOWN_BYTES = 50;
const SHOWN_NUMBERS = 100;

/** In one piece, and as dumps and fingerprints are written. */
function inHexadecimal(bytes: Buffer): string[] {
  const pairs = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  return [...["", " ", ":", "-"].map((between) => pairs.join(between)), pairs.slice(0, SHOWN_BYTES).join(" ")];
}

/** Fewer characters stand in other texts too. */
const SHORTEST_IN_BASE64 = 6;

/** What is certain of it wherever it begins within three bytes: alone, and behind a user's name as `Basic` has it. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const certain = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    if (certain.length < SHORTEST_IN_BASE64) return [];
    return [certain, certain.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** The longest first: a secret may begin with another. None matches nothing. */
function patternOfAny(longestFirst: readonly string[]): RegExp {
  return new RegExp(
    longestFirst.length === 0
      ? "(?!)"
      : longestFirst.map((one) => one.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"),
    "g",
  );
}

/** Property names too; a number that spells a secret becomes text. */
function masked(value: JsonValue, text: (given: string) => string): JsonValue {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return text(String(value)) === String(value) ? value : "***";
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return maskedList(value as readonly JsonValue[], text);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), masked(inner, text)]));
}

/** Numbers may be the bytes of a secret. */
function maskedList(list: readonly JsonValue[], text: (given: string) => string): JsonValue {
  if (typeof list[0] === "number" && text(list.join()) !== list.join()) return ["***"];
  return list.map((element) => masked(element, text));
}

/** Variables whose values go to the server in a header, its environment or its address, under each accepted name. */
export function secretNames({ connect, acceptedNames }: ServerData): string[] {
  const others = new Map(acceptedNames);
  const names = connect.flatMap((entry) => {
    const pairs = entry.kind === "stdio" ? entry.env : entry.headers;
    const templates = pairs.map(([, value]) => value);
    return (entry.kind === "stdio" ? templates : [entry.url, ...templates]).flatMap(namesIn);
  });
  return names.flatMap((name) => [name, ...(others.get(name) ?? [])]);
}

function namesIn(template: TemplateData): string[] {
  return template.flatMap((part) => {
    if (typeof part === "string") return [];
    return part.form === "if-set" ? namesIn(part.word) : [part.name, ...namesIn(part.word)];
  });
}
