import type { JsonValue } from "../contract.ts";
import type { ServerData, TemplateData } from "../server-data.ts";

/** Values that must not leave the runtime: in errors, records and events each stands as `***`. */
export interface Secrets {
  add(value: string): void;
  text(text: string): string;
  json(value: JsonValue): JsonValue;
}

/** An expression made of longer ones may be too large to be one, and the error about it would show them. */
const LONGEST = 1_000;

/** What is shorter is found in innocent text too (decisions.md 68). */
const SHORTEST = 6;

export function createSecrets(): Secrets {
  const spellings = new Set<string>();
  let pattern: RegExp | undefined;
  let long: readonly string[] = [];
  const text = (given: string): string => {
    if (pattern === undefined) return given;
    return long.reduce((clean, one) => clean.replaceAll(one, "***"), given).replace(pattern, "***");
  };
  return {
    add(value) {
      if (value.length < SHORTEST || spellings.has(value)) return;
      for (const part of partsOf(value)) for (const spelling of spellingsOf(part)) spellings.add(spelling);
      const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
      long = longestFirst.filter((one) => one.length > LONGEST);
      pattern = anyOf(longestFirst.slice(long.length));
    },
    text,
    json: (value) => (pattern === undefined ? value : masked(value, text)),
  };
}

/** A header goes out without the line break that a file ended with; of a database's address errors tell the password alone. */
function partsOf(value: string): string[] {
  const parts = [value, value.trim(), ...passwordIn(value)];
  return parts.filter((part) => part.length >= SHORTEST);
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

/** As it is, as JSON writes it (also JSON in JSON, and in ASCII), and as addresses and forms do. Nothing else: not base64. */
function spellingsOf(value: string): string[] {
  const json = inJson(value);
  const ascii = json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const sound = value.replace(/\p{Cs}/gu, "");
  const address = encodeURIComponent(sound);
  const form = new URLSearchParams({ v: sound }).toString().slice(2);
  const lowerCase = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
  const quoted = [json, inJson(json), ascii, inJson(ascii)];
  return [value, ...quoted, address, lowerCase(address), encodeURI(sound), form, lowerCase(form)];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The longest first: a secret may begin with another. None matches nothing. */
function anyOf(longestFirst: readonly string[]): RegExp {
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
