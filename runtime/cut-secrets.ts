import {
  asItIs,
  bytesIn,
  decodedTexts,
  layersOf,
  unquotedTexts,
  withoutQuotes,
  type DecodedText,
} from "./decoded-text.ts";
import { mayBeQuoted } from "./quoted-search.ts";
import { keyAt, keyWith, SHORTEST_WORD, type Stretch } from "./word-search.ts";

/** Of a text that may have been cut: what a secret ends with at its start, and begins with at its end. */

/** No word is longer, and of a key of 4,000 characters a quarter tells much. */
const LONGEST_REST = 12;
const SHORTEST_REST = 6;

/** One with a digit in it is no word. */
const LONGEST_REST_OF_KEY = 8;

/** Of a half secret that a text begins or ends with: less of it tells nothing, and words begin like it. */
function shortestRest(secret: string): number {
  return Math.max(SHORTEST_REST, Math.min(LONGEST_REST, Math.floor(secret.length / 4)));
}

/** What is left of an escape at the end that was cut, and how much there may be at the start. */
const CUT_ESCAPE =
  /(?:\\(?:u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7}|[uU]\{[\da-fA-F]{0,6}|[xX][\da-fA-F]?|[0-7]{1,2})?|%(?:25)*(?:[uU][\da-fA-F]{0,3}|[\da-fA-F])?|&(?:[aA][mM][pP];)*#?[a-zA-Z\d]{0,8}|=3?)$/;
const MOST_OF_ESCAPE = 12;
/** HTML in HTML may be longer. */
const HALF_ENTITY = /^(?:a?m?p;)?(?:amp;)*(?:#?[a-z0-9]{1,8};)?/i;
/** Of escapes within escapes. */
const MOST_OF_CUT_ESCAPE = 24;

/** Of backslashes there may be any number. */
function withoutCutEscape(text: string): string {
  const end = Math.max(0, text.length - MOST_OF_CUT_ESCAPE);
  return withoutEnd(text.slice(0, end) + text.slice(end).replace(CUT_ESCAPE, ""), "\\");
}

/** Up to the first whole escape: there a letter may begin within its bytes. */
const BEFORE_ESCAPE = /^[^\\%&]{1,8}(?=[\\%&])/;

function withoutHalfEscape(given: string): readonly DecodedText[] {
  const cut = BEFORE_ESCAPE.exec(given)?.[0].length ?? 0;
  if (cut === 0) return [];
  return decodedTexts(given.slice(cut)).map(({ text, source }) => ({
    text,
    source: (from, to) => {
      const [begin, end] = source(from, to);
      return [begin + cut, end + cut];
    },
  }));
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

/** What may be left of words, whose number costs a text nothing. */
export interface Rests {
  add(word: string): void;
  remove(word: string): void;
  /**
   * Found in the text as it was given: of a secret whose first half stands as `***` the rest begins like nothing known.
   * `whole`: the secrets that were found in it. What lies in one of them is no rest, and what stands beside it stays.
   */
  atStart(given: string, whole: readonly Stretch[]): Stretch;
  atEnd(given: string, whole: readonly Stretch[]): Stretch;
}

export function createRests(words: Iterable<string>): Rests {
  const heads = createEnds(() => 0);
  const tails = createEnds((word) => word.length - SHORTEST_WORD);
  let longest = 0;
  const wordsAtEnds = (word: string): readonly (readonly [Ends, string])[] => {
    const unquoted = mayBeQuoted(word) ? withoutQuotes(word) : word;
    const own = [[heads, word] as const, [tails, word] as const];
    if (unquoted === word || unquoted.length < SHORTEST_REST) return own;
    // A sign that nobody writes stands for the quote which the text may lack, and with it no more than that.
    const [first, last] = [/^['"`\\]/.test(word) ? "\0" : "", /['"`\\]$/.test(word) ? "\0" : ""];
    return [...own, [heads, unquoted + last], [tails, first + unquoted]];
  };
  const add = (word: string): void => {
    longest = Math.max(longest, word.length);
    for (const [ends, one] of wordsAtEnds(word)) ends.add(one);
  };
  for (const word of words) add(word);
  return {
    add,
    remove(word) {
      for (const [ends, one] of wordsAtEnds(word)) ends.remove(one);
    },
    atStart: (given, whole) => [0, endOfRests(given.slice(0, MOST_OF_A_SIGN * longest), tails, outside(whole, 0))],
    atEnd(given, whole) {
      const behind = Math.max(0, given.length - MOST_OF_A_SIGN * longest);
      return [behind + beginOfRests(given.slice(behind), heads, outside(whole, behind)), given.length];
    },
  };
}

type IsOutside = (stretch: Stretch) => boolean;

/** `behind`: where the stretches that are asked about are counted from. */
function outside(whole: readonly Stretch[], behind: number): IsOutside {
  return ([from, to]) => !whole.some(([begin, end]) => begin <= behind + from && behind + to <= end);
}

/** Words by the window that they begin or end with. */
interface Ends {
  add(word: string): void;
  remove(word: string): void;
  /** Where each window stands that is one of theirs, or may be: from there a rest begins, or there it ends. */
  placesIn(text: string, hear: (from: number, to: number, sharing: Sharing) => void): void;
}

interface Sharing {
  readonly words: string[];
  longest: number;
}

function createEnds(placeOf: (word: string) => number): Ends {
  const known = new Map<number, Sharing>();
  const keyOf = (word: string): number => keyAt(word, placeOf(word));
  return {
    add(word) {
      const key = keyOf(word);
      const sharing = known.get(key) ?? { words: [], longest: 0 };
      sharing.words.push(word);
      sharing.longest = Math.max(sharing.longest, word.length);
      known.set(key, sharing);
    },
    remove(word) {
      const { words } = known.get(keyOf(word))!;
      words.splice(words.indexOf(word), 1);
    },
    placesIn(text, hear) {
      let key = 0;
      for (let at = 0; at < text.length; at++) {
        key = keyWith(key, text.charCodeAt(at));
        const sharing = at + 1 < SHORTEST_WORD ? undefined : known.get(key);
        if (sharing !== undefined) hear(at + 1 - SHORTEST_WORD, at + 1, sharing);
      }
    },
  };
}

/** What is longer than its rest, which isn't too short to tell. */
function isRest(word: string, rest: string): boolean {
  const { length } = rest;
  if (length >= word.length || length < SHORTEST_REST) return false;
  return length >= shortestRest(word) || (length >= LONGEST_REST_OF_KEY && /\d/.test(rest));
}

/** Where the beginning of a secret begins that a text ends with. A letter of several bytes may be cut within. */
function beginOfRests(given: string, heads: Ends, isOutside: IsOutside): number {
  let to = given.length;
  const whole = withoutCutEscape(given);
  const outer = decodedTexts(whole);
  // An escape within escapes may be cut too, and the half of it would be a letter behind the rest.
  const inner = outer.length > 1 ? decodedTexts(given, withoutCutEscape).slice(1) : [];
  const layers = [asItIs(given), asItIs(whole), ...outer, ...inner];
  const bytes = layersOf(withoutCutByte(given)).flatMap((layer) => bytesIn(layer, true));
  for (const { text, source } of [...layers, ...layers.flatMap(unquotedTexts), ...bytes]) {
    for (const end of new Set([withoutEnd(text, "\ufffd").length, withoutCutEscape(text).length])) {
      const at = beginOfRest(text.slice(0, end), heads);
      if (at === end) continue;
      const found = source(at, end);
      if (isOutside(found)) to = Math.min(to, found[0]);
    }
  }
  return to;
}

/** Where the end of a secret ends that a text begins with. */
function endOfRests(given: string, tails: Ends, isOutside: IsOutside): number {
  let from = 0;
  const layers = [asItIs(given), ...decodedTexts(given), ...withoutHalfEscape(given)];
  const bytes = layersOf(given).flatMap((layer) => bytesIn(layer, true));
  for (const { text, source } of [...layers, ...layers.flatMap(unquotedTexts), ...bytes]) {
    const [begin, end] = endOfRest(text, tails);
    if (begin === end) continue;
    const found = source(begin, end);
    if (isOutside(found)) from = Math.max(from, found[1]);
  }
  return from;
}

/** What is left of an escape may stand before it. */
function endOfRest(text: string, tails: Ends): Stretch {
  const begins = new Set([HALF_ENTITY.exec(text)![0].length]);
  for (let skipped = 0; skipped <= MOST_OF_ESCAPE; skipped++)
    begins.add(skipped + /^\ufffd*/.exec(text.slice(skipped))![0].length);
  let found: Stretch = [0, 0];
  tails.placesIn(text, (from, to, { words, longest }) => {
    if (to <= found[1]) return;
    for (const begin of begins) {
      const length = to - begin;
      if (begin > from || longest <= length || (to === found[1] && begin > found[0])) continue;
      const rest = text.slice(begin, to);
      if (words.some((word) => isRest(word, rest) && word.endsWith(rest))) found = [begin, to];
    }
  });
  return found;
}

function beginOfRest(text: string, heads: Ends): number {
  let begin = text.length;
  heads.placesIn(text, (from, _, { words, longest }) => {
    const length = text.length - from;
    if (from >= begin || longest <= length) return;
    const rest = text.slice(from);
    if (words.some((word) => isRest(word, rest) && word.startsWith(rest))) begin = from;
  });
  return begin;
}
