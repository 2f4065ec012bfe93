/** A pattern of a stranger's schema, looked for in a text. */
export interface Search {
  test(text: string): boolean;
  toString(): string;
}

const LONGEST_PATTERN = 4096;
/** Measured: 25 wide classes, or 500 others, take less than 100 ms at their first text. No deadline ends that. */
const MOST_COST = 500;
const WIDE_COST = 20;
const CLASS = /\[|\.|\\[dsw]/gi;
/** Half of all letters, or characters beyond the first 65,536, which become code for both halves of each. */
const WIDE = /\\p\{|[\u{10000}-\u{10ffff}]|\\u\{0*[1-9a-f][0-9a-f]{4}|\\ud[89ab]/giu;

/** Why a pattern may not be one, as the end of a sentence: before a text is held against it it becomes code. */
export function patternTooCostly(source: string): string | undefined {
  if (source.length > LONGEST_PATTERN) return `is longer than ${LONGEST_PATTERN} characters`;
  return patternCost(source) > MOST_COST ? "names too many classes of characters" : undefined;
}

export function patternCost(source: string): number {
  return timesIn(source, CLASS) + WIDE_COST * timesIn(source, WIDE);
}

function timesIn(source: string, what: RegExp): number {
  return source.match(what)?.length ?? 0;
}

/**
 * Wide classes that are looked for are compiled in exponential time (seven of them take half a second, nine a minute),
 * but not where they must begin at a given place: so every place is tried.
 */
export function patternSearch(source: string, flags: string): Search {
  const pattern = new RegExp(source, flags);
  if (timesIn(source, WIDE) === 0) return pattern;
  const here = new RegExp(source, `${flags}y`);
  const test = (text: string): boolean => {
    for (let at = 0; at <= text.length; at++) {
      here.lastIndex = at;
      if (here.test(text)) return true;
    }
    return false;
  };
  return { test, toString: () => String(pattern) };
}
