import type { JsonValue } from "./contract.ts";
import { bytesIn, layersOf } from "./decoded-text.ts";
import { createKnownValues } from "./known-values.ts";
import { createNeedles, type Needles } from "./needles.ts";
import { secretParts } from "./secret-parts.ts";
import type { ServerData, TemplateData } from "./server-data.ts";
import type { Stretch } from "./word-search.ts";

/**
 * Values that must not leave: in errors, records, events and pages of the command each stands as `***`. The one masker of
 * known values; whoever masks a text does it before he cuts it, since half a secret isn't known as one.
 */
export interface Secrets {
  /** In use until what is returned is called. */
  add(value: string): () => void;
  text(text: string): string;
  /** Of a text that may have been cut before: what a secret begins or ends with, at its ends, goes too. */
  cutText(text: string): string;
  /**
   * Of a text of which so many characters are shown, without what it goes on with: enough to be cut to them. Strangers send
   * books, and to look through all of one would hold the app.
   */
  beginning(text: string, most: number): string;
  json(value: JsonValue): JsonValue;
}

/** Of a secret before what is shown so much may go. */
const BEYOND = 8 * 1024;

/** What is shorter is found in innocent text too. */
const SHORTEST = 6;

/** `partsOf`: what is looked for of a value. */
export function createSecrets(
  shortest: number = SHORTEST,
  partsOf: (value: string) => readonly string[] = secretParts,
): Secrets {
  const needles = createNeedles(shortest, partsOf);
  const know = createKnownValues(needles.learn, needles.forget);
  const text = (given: string): string =>
    // No text is longer without its escapes.
    given.length < needles.shortest() ? given : withoutStretches(given, stretchesIn(given, needles));
  return {
    add: (value) => (value.length < shortest ? () => {} : know(value)),
    cutText: (given) => withoutRests(given, needles, true),
    beginning: (given, most) =>
      given.length <= most + BEYOND ? text(given) : withoutRests(given.slice(0, most + BEYOND), needles, false),
    text,
    json: (value) => (needles.shortest() === Infinity ? value : masked(value, text)),
  };
}

/** Of a text that may have been cut at its end, or at both. */
function withoutRests(given: string, needles: Needles, isCutAtStart: boolean): string {
  if (needles.shortest() === Infinity) return given;
  const { atStart, atEnd } = needles.rests();
  const whole = stretchesIn(given, needles);
  const rests = [atEnd(given, whole), ...(isCutAtStart ? [atStart(given, whole)] : [])];
  const found = rests.filter(([from, to]) => from < to);
  return withoutStretches(given, [...whole, ...found]);
}

function stretchesIn(given: string, needles: Needles): Stretch[] {
  return layersOf(given).flatMap((layer) =>
    [layer, ...bytesIn(layer)].flatMap(({ text, source }) => needles.stretchesIn(text).map((one) => source(...one))),
  );
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
