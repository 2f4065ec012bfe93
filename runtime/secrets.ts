import type { JsonValue } from "./contract.ts";
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

/** Every spelling of a value under which it counts as told: of its parts too, such as the password of an address. */
export function secretSpellings(value: string, shortest: number = SHORTEST): string[] {
  if (value.length < shortest) return [];
  return [...new Set(partsOf(value, shortest).flatMap(spellingsOf))].filter((one) => one.length >= shortest);
}

export function createSecrets(shortest: number = SHORTEST): Secrets {
  const spellings = new Set<string>();
  let pattern: RegExp | undefined;
  let long: readonly string[] = [];
  const text = (given: string): string => {
    if (pattern === undefined) return given;
    return long.reduce((clean, one) => clean.replaceAll(one, "***"), given).replace(pattern, "***");
  };
  return {
    add(value) {
      if (value.length < shortest || spellings.has(value)) return;
      for (const spelling of secretSpellings(value, shortest)) spellings.add(spelling);
      const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
      long = longestFirst.filter((one) => one.length > LONGEST_IN_PATTERN);
      pattern = patternOfAny(longestFirst.slice(long.length));
    },
    cutText: (given) => withoutRests(text(given), spellings),
    text,
    json: (value) => (pattern === undefined ? value : masked(value, text)),
  };
}

/** Of a half secret that a text begins or ends with: less of it tells nothing, and words begin like it. */
function shortestRest(secret: string): number {
  return Math.max(SHORTEST, Math.floor(secret.length / 4));
}

function withoutRests(given: string, spellings: ReadonlySet<string>): string {
  let [from, to] = [0, given.length];
  for (const one of spellings) {
    for (let length = Math.min(one.length - 1, given.length); length >= shortestRest(one); length--) {
      if (given.endsWith(one.slice(0, length))) to = Math.min(to, given.length - length);
      if (given.startsWith(one.slice(-length))) from = Math.max(from, length);
    }
  }
  if (from === 0 && to === given.length) return given;
  return `${from > 0 ? "***" : ""}${given.slice(from, Math.max(from, to))}${to < given.length ? "***" : ""}`;
}

/**
 * A header goes out without the line break that a file ended with; of a database's address errors tell the password alone,
 * and of a key one of its lines.
 */
function partsOf(value: string, shortest: number): string[] {
  const trimmed = value.trim();
  const lines = trimmed.split(/\r?\n/).filter((line) => line.length >= shortest * 2);
  const parts = [value, trimmed, ...lines, ...passwordIn(value)];
  return parts.filter((part) => part.length >= shortest);
}

function passwordIn(value: string): string[] {
  const written = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*?:([^/?#]*)@/i.exec(value)?.[1];
  if (written === undefined) return [];
  try {
    return [written, decodeURIComponent(written)];
  } catch {
    return [written];
  }
}

/** As it is, as JSON writes it (also JSON in JSON, and in ASCII), as addresses and forms do, and in base64. */
function spellingsOf(value: string): string[] {
  const json = inJson(value);
  const ascii = json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const sound = value.replace(/\p{Cs}/gu, "");
  const address = encodeURIComponent(sound);
  const form = new URLSearchParams({ v: sound }).toString().slice(2);
  const lowerCase = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
  const quoted = [json, inJson(json), ascii, inJson(ascii)];
  return [value, ...quoted, address, lowerCase(address), encodeURI(sound), form, lowerCase(form), ...inBase64(value)];
}

/** Of shorter values too few characters are certain. */
const SHORTEST_IN_BASE64 = 9;

/** What is certain of it wherever it begins within three bytes: alone, and behind a user's name as `Basic` has it. */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  if (bytes.length < SHORTEST_IN_BASE64) return [];
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const certain = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [certain, certain.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(certain)];
  });
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
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
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((element) => masked(element, text));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), masked(inner, text)]));
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
