import { waysOf } from "./pattern-ways.ts";

/** A pattern of a stranger's schema, looked for in a text. */
export interface Search {
  test(text: string): boolean;
  toString(): string;
}

const LONGEST_PATTERN = 4096;
/** Measured: 25 wide classes, 500 others, or as many steps ahead take less than 100 ms at their first text. No deadline ends that. */
const MOST_COST = 500;
const WIDE_COST = 20;
const AHEAD_COST = MOST_COST / 1_500_000;
const MOST_SEARCHED = 20_000;
const SEARCHED_COST = MOST_COST / MOST_SEARCHED;
const CLASS = /\[|\.|\\[bdsw]/gi;
/** Half of all letters, or characters beyond the first 65,536, which become code for both halves of each. */
const WIDE = /\\p\{|[\u{10000}-\u{10ffff}]|\\u\{0*[1-9a-f][0-9a-f]{4}|\\ud[89ab]/giu;

/** Why a pattern may not be one, as the end of a sentence: before a text is held against it it becomes code. */
export function patternTooCostly(source: string): string | undefined {
  if (source.length > LONGEST_PATTERN) return `is longer than ${LONGEST_PATTERN} characters`;
  if (costOfClasses(source) > MOST_COST) return "names too many classes of characters";
  return patternCost(source) > MOST_COST ? "has too many choices in a row" : undefined;
}

export function patternCost(source: string): number {
  const { ahead, searched } = waysOf(source);
  return costOfClasses(source) + Math.floor(ahead * AHEAD_COST + searched * SEARCHED_COST);
}

function costOfClasses(source: string): number {
  return timesIn(source, CLASS) + WIDE_COST * timesIn(source, WIDE);
}

function timesIn(source: string, what: RegExp): number {
  return source.match(what)?.length ?? 0;
}

/**
 * A pattern of a stranger's, known to be one, as code that is soon made. V8 writes what follows a choice up to ten times
 * over, within each other, but not of a source of more than 20 KB; and what follows `\b` for a word before it and for
 * none, but not what follows two looks to either side.
 */
export function boundedPattern(source: string, flags: string): RegExp {
  const soon = source.replace(BOUNDARY, (found) => LOOKS_ASIDE.get(found) ?? found);
  return new RegExp(soon.length > SOON_MADE ? soon + PADDING : soon, flags);
}

/** Alternatives of this say nothing of what a class holds: there `\b` is another character. */
const BOUNDARY = /\[(?:[^\\\]]|\\[^])*\]|\\[^]/g;
const LOOKS_ASIDE: ReadonlyMap<string, string> = new Map([
  ["\\b", "(?:(?<=\\w)(?!\\w)|(?<!\\w)(?=\\w))"],
  ["\\B", "(?:(?<=\\w)(?=\\w)|(?<!\\w)(?!\\w))"],
]);
/** So short a pattern is soon made whatever it is. */
const SOON_MADE = 40;
const PADDING = `(?:${"x".repeat(20_500)}){0}`;

/**
 * Wide classes and choices in a row that are looked for are compiled in exponential time (seven of them take half a second,
 * nine a minute), but not where they must begin at a given place: so every place is tried.
 */
export function patternSearch(source: string, flags: string): Search {
  const pattern = new RegExp(source, flags);
  const toString = (): string => String(pattern);
  if (timesIn(source, WIDE) === 0 && waysOf(source).looked <= MOST_SEARCHED) {
    const made = boundedPattern(source, flags);
    return { test: (text) => made.test(text), toString };
  }
  const here = boundedPattern(source, `${flags}y`);
  const test = (text: string): boolean => {
    for (let at = 0; at <= text.length; at++) {
      here.lastIndex = at;
      if (here.test(text)) return true;
    }
    return false;
  };
  return { test, toString };
}
