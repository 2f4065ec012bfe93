import { asItIs, bytesIn, decodedTexts, layersOf } from "./decoded-text.ts";
import { keyAt, keyWith, SHORTEST_WORD, type Stretch } from "./word-search.ts";

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

/** What may be left of words, whose number costs a text nothing. */
export interface Rests {
  add(word: string): void;
  remove(word: string): void;
  /** Found in the text as it was given: of a secret whose first half stands as `***` the rest begins like nothing known. */
  atStart(given: string): Stretch;
  atEnd(given: string): Stretch;
}

export function createRests(words: Iterable<string>): Rests {
  const heads = createEnds(() => 0);
  const tails = createEnds((word) => word.length - SHORTEST_WORD);
  let longest = 0;
  const add = (word: string): void => {
    longest = Math.max(longest, word.length);
    heads.add(word);
    tails.add(word);
  };
  for (const word of words) add(word);
  return {
    add,
    remove(word) {
      heads.remove(word);
      tails.remove(word);
    },
    atStart: (given) => [0, endOfRests(given.slice(0, MOST_OF_A_SIGN * longest), tails)],
    atEnd(given) {
      const behind = Math.max(0, given.length - MOST_OF_A_SIGN * longest);
      return [behind + beginOfRests(given.slice(behind), heads), given.length];
    },
  };
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
function isRest(word: string, length: number): boolean {
  return length < word.length && length >= shortestRest(word);
}

/** Where the beginning of a secret begins that a text ends with. A letter of several bytes may be cut within. */
function beginOfRests(given: string, heads: Ends): number {
  let to = given.length;
  const bytes = layersOf(withoutCutByte(given)).flatMap(bytesIn);
  for (const { text, source } of [asItIs(given), ...decodedTexts(withoutCutEscape(given)), ...bytes]) {
    const end = withoutEnd(text, "\ufffd").length;
    const at = beginOfRest(text.slice(0, end), heads);
    if (at < end) to = Math.min(to, source(at, end)[0]);
  }
  return to;
}

/** Where the end of a secret ends that a text begins with. */
function endOfRests(given: string, tails: Ends): number {
  let from = 0;
  for (const { text, source } of [asItIs(given), ...decodedTexts(given)]) {
    const [begin, end] = endOfRest(text, tails);
    if (begin < end) from = Math.max(from, source(begin, end)[1]);
  }
  return from;
}

/** What is left of an escape may stand before it. */
function endOfRest(text: string, tails: Ends): Stretch {
  const begins = new Set<number>();
  for (let skipped = 0; skipped <= MOST_OF_ESCAPE; skipped++)
    begins.add(skipped + /^\ufffd*/.exec(text.slice(skipped))![0].length);
  let found: Stretch = [0, 0];
  tails.placesIn(text, (from, to, { words, longest }) => {
    if (to <= found[1]) return;
    for (const begin of begins) {
      const length = to - begin;
      if (begin > from || longest <= length) continue;
      const rest = text.slice(begin, to);
      if (words.some((word) => isRest(word, length) && word.endsWith(rest))) found = [begin, to];
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
    if (words.some((word) => isRest(word, length) && word.startsWith(rest))) begin = from;
  });
  return begin;
}
