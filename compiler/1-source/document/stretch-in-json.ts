import type { Place, Stretch } from "../../base/place.ts";

/**
 * Finds places in sound JSON by going through its text: a tree of it would take hundreds of bytes for each that is read,
 * and the file may be a stranger's. What is kept is where the entries of what was entered begin.
 */
export function stretchInJson(text: string): (place: Place) => Stretch {
  const known = new Map<number, readonly number[]>();
  const entriesAt = (at: number): readonly number[] => {
    const entries = known.get(at) ?? entriesOf(text, at);
    known.set(at, entries);
    return entries;
  };
  // Very much may be said of one long text.
  const ends = new Map<number, number>();
  const stretchOf = (at: number): Stretch => {
    const end = ends.get(at) ?? endOfValue(text, at);
    ends.set(at, end);
    return [at, end];
  };
  return (place) => {
    let found: FoundValue = { at: afterBlanks(text, 0), key: undefined };
    for (const step of place.path) {
      const next = enter(text, found.at, step, entriesAt);
      if (next === undefined) return stretchOf(found.at);
      found = next;
    }
    return place.at === "key" && found.key !== undefined
      ? [found.key, endOfText(text, found.key)]
      : stretchOf(found.at);
  };
}

/** Where it begins, and its key. */
interface FoundValue {
  readonly at: number;
  readonly key: number | undefined;
}

function enter(
  text: string,
  at: number,
  step: string | number,
  entriesAt: (at: number) => readonly number[],
): FoundValue | undefined {
  if (text[at] === "[") {
    const item = typeof step === "number" ? entriesAt(at)[step] : undefined;
    return item === undefined ? undefined : { at: item, key: undefined };
  }
  if (text[at] !== "{") return undefined;
  const key = entriesAt(at).find((start) => isKey(text, start, String(step)));
  return key === undefined ? undefined : { at: valueBehind(text, key), key };
}

function isKey(text: string, start: number, wanted: string): boolean {
  const written = text.slice(start + 1, endOfText(text, start) - 1);
  return written === wanted || (written.includes("\\") && JSON.parse(`"${written}"`) === wanted);
}

/** Where each value of a list begins, and each key of an object. */
function entriesOf(text: string, open: number): number[] {
  const entries: number[] = [];
  const isObject = text[open] === "{";
  for (let at = afterBlanks(text, open + 1); text[at] !== "]" && text[at] !== "}";) {
    entries.push(at);
    at = afterBlanks(text, endOfValue(text, isObject ? valueBehind(text, at) : at));
    if (text[at] === ",") at = afterBlanks(text, at + 1);
  }
  return entries;
}

function valueBehind(text: string, key: number): number {
  return afterBlanks(text, afterBlanks(text, endOfText(text, key)) + 1);
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfText(text, start);
  if (first !== "{" && first !== "[") return endOfScalar(text, start);
  let [depth, at] = [0, start];
  do {
    const sign = text[at];
    if (sign === "{" || sign === "[") depth++;
    else if (sign === "}" || sign === "]") depth--;
    at = sign === '"' ? endOfText(text, at) : at + 1;
  } while (depth > 0);
  return at;
}

function endOfScalar(text: string, start: number): number {
  let at = start;
  while (at < text.length && !",]} \t\r\n".includes(text[at]!)) at++;
  return at;
}

/** The place behind the closing quote. */
function endOfText(text: string, quote: number): number {
  let at = quote + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return at;
}
