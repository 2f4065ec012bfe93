import type { JsonValue } from "./contract.ts";
import {
  asItIs,
  decodedTexts,
  HINTS_LIST,
  HINTS_PAIRS,
  listedTexts,
  pairedTexts,
  type DecodedText,
} from "./decoded-text.ts";
import { secretParts } from "./secret-parts.ts";
import { encodingsOf, nestedEncodingsOf, spellingsOf } from "./secret-spellings.ts";
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

/** `partsOf`: what is looked for of a value. */
export function createSecrets(
  shortest: number = SHORTEST,
  partsOf: (value: string) => readonly string[] = secretParts,
): Secrets {
  const values = new Set<string>();
  let known: Needles | undefined;
  const needles = (): Needles => (known ??= needlesOf(new Set([...values].flatMap(partsOf)), shortest));
  const text = (given: string): string => (values.size === 0 ? given : withoutSecrets(given, needles()));
  return {
    add(value) {
      if (value.length < shortest || values.has(value)) return;
      values.add(value);
      known = undefined;
    },
    cutText: (given) => (values.size === 0 ? given : withoutRests(given, needles())),
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
  /** In one within the other, which are longer. */
  readonly nested: RegExp;
  readonly hasNested: RegExp;
  readonly leastNested: number;
  /** No shorter text has anything in hexadecimal, in base64 or in a list. */
  readonly leastCoded: number;
  readonly shortest: number;
}

function needlesOf(texts: ReadonlySet<string>, shortest: number): Needles {
  const parts = [...texts];
  const isWanted = (one: string): boolean => one.length >= shortest;
  const [plain, coded, nested] = [spellingsOf, encodingsOf, nestedEncodingsOf].map((spell) =>
    longestFirst(parts.flatMap(spell).filter(isWanted)),
  );
  const all = longestFirst([...plain!, ...coded!, ...nested!]);
  const short = (spellings: readonly string[]): string[] =>
    spellings.filter(({ length }) => length <= LONGEST_IN_PATTERN);
  const leastCoded = Math.min(LONGEST_HINT, short(coded!).at(-1)?.length ?? LONGEST_HINT);
  const leastNested = Math.min(LONGEST_NESTED_HINT, short(nested!).at(-1)?.length ?? LONGEST_NESTED_HINT);
  return {
    all,
    long: all.filter(({ length }) => length > LONGEST_IN_PATTERN),
    plain: patternOfAny(short(plain!)),
    coded: patternOfAny(short(coded!)),
    hasCoded: hasRun(leastCoded),
    nested: patternOfAny(short(nested!)),
    hasNested: hasRun(leastNested),
    leastNested,
    leastCoded: Math.min(leastCoded, LEAST_IN_PAIRS),
    shortest: all.at(-1)?.length ?? Infinity,
  };
}

/** Four pairs: few values are shorter. */
const LEAST_IN_PAIRS = 11;
/** Looked for at every place of a text. */
const LONGEST_HINT = 20;
/** Few paths have as much without a dot. */
const LONGEST_NESTED_HINT = 40;

/** A count would be four times as slow. */
function hasRun(length: number): RegExp {
  return new RegExp("[A-Za-z0-9+/_-]".repeat(length));
}

function longestFirst(spellings: readonly string[]): string[] {
  return [...new Set(spellings)].sort((a, b) => b.length - a.length);
}

const HAS_BYTES = new RegExp(`${HINTS_PAIRS.source}|${HINTS_LIST.source}`);

function withoutSecrets(given: string, needles: Needles): string {
  // No text is longer without its escapes.
  if (given.length < needles.shortest) return given;
  const layers = layersOf(given);
  if (layers.length === 0 && isOneText(given, needles)) {
    if (given.length < needles.leastCoded || !needles.hasCoded.test(given)) return given.replace(needles.plain, "***");
    // A path looks like base64, and nearly none is.
    const isClean = given.search(needles.plain) === -1 && given.search(needles.coded) === -1;
    if (isClean && !(mayBeNested(given, needles) && given.search(needles.nested) !== -1)) return given;
  }
  return withoutStretches(given, stretchesIn([asItIs(given), ...layers], needles));
}

/** What it is without its escapes, also where a form wrote `+` for the blanks between bytes and before lines. */
function layersOf(given: string): readonly DecodedText[] {
  const layers = decodedTexts(given);
  if (!given.includes("+")) return layers;
  const spaced = given.replaceAll("+", " ");
  if (layers.length === 0 && !HAS_BYTES.test(spaced)) return layers;
  return [...layers, asItIs(spaced), ...decodedTexts(spaced)];
}

function stretchesIn(layers: readonly DecodedText[], needles: Needles): Stretch[] {
  return layers.flatMap((layer) =>
    [layer, ...listedTexts(layer), ...pairedTexts(layer)].flatMap(({ text, source }) =>
      stretchesOf(text, needles).map((one) => source(...one)),
    ),
  );
}

/** Nothing in it means another text. */
function isOneText(text: string, { long, leastCoded }: Needles): boolean {
  return long.length === 0 && (text.length < leastCoded || !HAS_BYTES.test(text));
}

function mayBeNested(text: string, { leastNested, hasNested }: Needles): boolean {
  return text.length >= leastNested && hasNested.test(text);
}

function stretchesOf(text: string, needles: Needles): Stretch[] {
  const found: Stretch[] = [];
  const patterns = [needles.plain];
  const hasCoded = needles.hasCoded.test(text);
  if (hasCoded) patterns.push(needles.coded);
  if (hasCoded && mayBeNested(text, needles)) patterns.push(needles.nested);
  for (const pattern of patterns)
    if (text.search(pattern) !== -1)
      for (const { 0: one, index = 0 } of text.matchAll(pattern)) found.push([index, index + one.length]);
  for (const one of needles.long)
    for (let at = text.indexOf(one); at !== -1; at = text.indexOf(one, at + one.length))
      found.push([at, at + one.length]);
  return found;
}

/** What overlaps is one. */
function withoutStretches(given: string, found: Stretch[]): string {
  if (found.length === 0) return given;
  let [clean, end] = ["", 0];
  for (const [from, to] of found.sort(([a], [b]) => a - b)) {
    if (from >= end) clean += `${given.slice(end, from)}***`;
    end = Math.max(end, to);
  }
  return clean + given.slice(end);
}

/** No word is longer, and of a key of 4,000 characters a quarter tells much. */
const LONGEST_REST = 12;

/** Of a half secret that a text begins or ends with: less of it tells nothing, and words begin like it. */
function shortestRest(secret: string): number {
  return Math.max(SHORTEST, Math.min(LONGEST_REST, Math.floor(secret.length / 4)));
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

/** Found in the text as it was given: of a secret whose first half stands as `***` the rest begins like nothing known. */
function withoutRests(given: string, needles: Needles): string {
  const most = MOST_OF_A_SIGN * (needles.all[0]?.length ?? 0);
  const from = endOfRests(given.slice(0, most), needles.all);
  const behind = Math.max(0, given.length - most);
  const to = behind + beginOfRests(given.slice(behind), needles.all);
  const rests = [[0, from] as const, [to, given.length] as const].filter(([begin, end]) => begin < end);
  if (rests.length === 0) return withoutSecrets(given, needles);
  return withoutStretches(given, [...stretchesIn([asItIs(given), ...layersOf(given)], needles), ...rests]);
}

/** As escapes within escapes write it. Where a secret may stand at an end of a text isn't looked for in all of it. */
const MOST_OF_A_SIGN = 16;

/** Where the beginning of a secret begins that a text ends with. A letter of several bytes may be cut within. */
function beginOfRests(given: string, needles: readonly string[]): number {
  let to = given.length;
  for (const { text, source } of [asItIs(given), ...decodedTexts(withoutCutEscape(given))]) {
    const end = withoutEnd(text, "\ufffd").length;
    const at = beginOfRest(text.slice(0, end), needles);
    if (at < end) to = Math.min(to, source(at, end)[0]);
  }
  return to;
}

/** Where the end of a secret ends that a text begins with. */
function endOfRests(given: string, needles: readonly string[]): number {
  let from = 0;
  for (const { text, source } of [asItIs(given), ...decodedTexts(given)])
    for (let skipped = 0; skipped <= MOST_OF_ESCAPE; skipped++) {
      const begin = skipped + /^\ufffd*/.exec(text.slice(skipped))![0].length;
      const at = endOfRest(text.slice(begin), needles);
      if (at > 0) from = Math.max(from, source(begin, begin + at)[1]);
    }
  return from;
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

/** What is written otherwise by shells, SQL and YAML; by CSV; by mail. Each is less than another spelling to look for. */
const QUOTED: Readonly<Record<string, string>> = {
  "'": `'(?:"'"'|\\\\?''?)?`,
  '"': '`?""?',
  "=": "=(?:3D)?",
  "\\$": "`?\\$",
  "`": "``?",
};

/** The longest first: a secret may begin with another. None matches nothing. */
function patternOfAny(longestFirst: readonly string[]): RegExp {
  const source = longestFirst
    .map((one) => one.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replace(/['"=`]|\\\$/g, (sign) => QUOTED[sign]!))
    .join("|");
  return new RegExp(source === "" ? "(?!)" : source, "g");
}

/** Property names too; a number that spells a secret becomes text. */
function masked(value: JsonValue, text: (given: string) => string): JsonValue {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return text(String(value)) === String(value) ? value : "***";
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return maskedList(value as readonly JsonValue[], text);
  const entries = Object.entries(value);
  // As JSON has an array of bytes that isn't a list.
  if (entries[0]?.[0] === "0" && holdsBytes(Object.values(value), text)) return { "0": "***" };
  return Object.fromEntries(entries.map(([key, inner]) => [text(key), masked(inner, text)]));
}

/** Of one that holds a secret's bytes all numbers go. */
function maskedList(list: readonly JsonValue[], text: (given: string) => string): JsonValue {
  const bytes = list.some(mayBeByte) && holdsBytes(list, text);
  const others = bytes ? list.filter((element) => !mayBeByte(element)) : list;
  const shown = others.map((element) => masked(element, text));
  return bytes ? [...shown, "***"] : shown;
}

function holdsBytes(list: readonly JsonValue[], text: (given: string) => string): boolean {
  const numbers = list.filter(mayBeByte).join();
  return text(numbers) !== numbers;
}

function mayBeByte(element: JsonValue): boolean {
  return (
    typeof element === "number" || (typeof element === "string" && /^(?:0x[0-9a-f]{1,2}|-?\d{1,3})$/i.test(element))
  );
}

/** Variables whose values go to the server in a header, its environment or its address, under each accepted name. */
export function secretNames({ connect, acceptedNames }: ServerData): string[] {
  const names = connect.flatMap((entry) => {
    const pairs = entry.kind === "stdio" ? entry.env : entry.headers;
    const templates = pairs.map(([, value]) => value);
    return (entry.kind === "stdio" ? templates : [entry.url, ...templates]).flatMap(namesIn);
  });
  return withOthers(names, acceptedNames);
}

/** Those in the words of the command that starts it: a path that leads somewhere is no secret. */
export function wordNames({ command }: StdioData, acceptedNames: ServerData["acceptedNames"]): string[] {
  return withOthers(command.flatMap(namesIn), acceptedNames);
}

type StdioData = Extract<ServerData["connect"][number], { readonly kind: "stdio" }>;

function withOthers(names: readonly string[], acceptedNames: ServerData["acceptedNames"]): string[] {
  const others = new Map(acceptedNames);
  return names.flatMap((name) => [name, ...(others.get(name) ?? [])]);
}

function namesIn(template: TemplateData): string[] {
  return template.flatMap((part) => {
    if (typeof part === "string") return [];
    return part.form === "if-set" ? namesIn(part.word) : [part.name, ...namesIn(part.word)];
  });
}
