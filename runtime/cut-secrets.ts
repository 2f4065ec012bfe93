import { asItIs, bytesIn, decodedTexts, layersOf } from "./decoded-text.ts";
import type { Stretch } from "./word-search.ts";

/** Of a text that may have been cut: what a secret ends with at its start, and begins with at its end. */

/** No word is longer, and of a key of 4,000 characters a quarter tells much. */
const LONGEST_REST = 12;
const SHORTEST_REST = 6;

/** Of a half secret that a text begins or ends with: less of it tells nothing, and words begin like it. */
function shortestRest(secret: string): number {
  return Math.max(SHORTEST_REST, Math.min(LONGEST_REST, Math.floor(secret.length / 4)));
}

/** What is left of an escape at the end that was cut, and how much there may be at the start. */
const CUT_ESCAPE = /(?:\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|%[0-9a-f]?|&#?[a-z0-9]{0,8})$/i;
const MOST_OF_ESCAPE = 8;

/** Of backslashes there may be any number. */
function withoutCutEscape(text: string): string {
  const end = Math.max(0, text.length - 2 - MOST_OF_ESCAPE);
  return withoutEnd(text.slice(0, end) + text.slice(end).replace(CUT_ESCAPE, ""), "\\");
}

/** Of bytes, the last of which may be cut. */
const CUT_BYTE = /[^0-9a-z]{0,40}[0-9a-z]{0,4}[^0-9a-z]{0,40}$/i;
const MOST_OF_BYTE = 84;

function withoutCutByte(text: string): string {
  const end = Math.max(0, text.length - MOST_OF_BYTE);
  return text.slice(0, end) + text.slice(end).replace(CUT_BYTE, "");
}

/** An expression would begin anew at each of them. */
function withoutEnd(text: string, sign: string): string {
  let end = text.length;
  while (text[end - 1] === sign) end--;
  return text.slice(0, end);
}

/** As escapes within escapes write it. Where a secret may stand at an end of a text isn't looked for in all of it. */
const MOST_OF_A_SIGN = 16;

/** Found in the text as it was given: of a secret whose first half stands as `***` the rest begins like nothing known. */
export function restAtStart(given: string, longestFirst: readonly string[]): Stretch {
  return [0, endOfRests(given.slice(0, mostOfRest(longestFirst)), longestFirst)];
}

export function restAtEnd(given: string, longestFirst: readonly string[]): Stretch {
  const behind = Math.max(0, given.length - mostOfRest(longestFirst));
  return [behind + beginOfRests(given.slice(behind), longestFirst), given.length];
}

function mostOfRest(longestFirst: readonly string[]): number {
  return MOST_OF_A_SIGN * (longestFirst[0]?.length ?? 0);
}

/** Where the beginning of a secret begins that a text ends with. A letter of several bytes may be cut within. */
function beginOfRests(given: string, needles: readonly string[]): number {
  let to = given.length;
  const bytes = layersOf(withoutCutByte(given)).flatMap(bytesIn);
  for (const { text, source } of [asItIs(given), ...decodedTexts(withoutCutEscape(given)), ...bytes]) {
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

/** Each rest begins with the first characters of the text: what holds them nowhere is soon passed over. */
function endOfRest(text: string, needles: readonly string[]): number {
  const head = text.slice(0, SHORTEST_REST);
  if (head.length < SHORTEST_REST) return 0;
  let end = 0;
  for (const one of needles) {
    const least = Math.max(end + 1, shortestRest(one));
    for (let at = one.indexOf(head, 1); at !== -1 && one.length - at >= least; at = one.indexOf(head, at + 1))
      if (text.startsWith(one.slice(at))) {
        end = one.length - at;
        break;
      }
  }
  return end;
}

function beginOfRest(text: string, needles: readonly string[]): number {
  const tail = text.slice(-SHORTEST_REST);
  let begin = text.length;
  if (tail.length < SHORTEST_REST) return begin;
  for (const one of needles) {
    const least = Math.max(text.length - begin + 1, shortestRest(one));
    for (let at = one.indexOf(tail); at !== -1; at = one.indexOf(tail, at + 1)) {
      const length = at + SHORTEST_REST;
      if (length >= least && length < one.length && text.endsWith(one.slice(0, length)))
        begin = Math.min(begin, text.length - length);
    }
  }
  return begin;
}
