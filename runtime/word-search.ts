/** Of a text, from one place to another. */
export type Stretch = readonly [from: number, to: number];

/** What is looked for has at least so many characters. */
const WINDOW = 4;
/** Of each character of a window, which so falls out of the key behind the last one. */
const BITS = 4;
const KEYS = 1 << (WINDOW * BITS);

/** By which window a word is found, and how much of the word there is up to its end. */
interface Anchor {
  readonly word: string;
  readonly length: number;
}

/**
 * Looks for thousands of words in one pass over a text: an expression would try each of them at every place. A word is
 * found by one of its windows that few others have.
 */
export function searchFor(words: readonly string[]): (text: string) => Stretch[] {
  const anchors: Anchor[][] = [[]];
  const places = new Uint32Array(KEYS);
  for (const word of words) {
    const { key, length } = rarestWindow(word, (one) => anchors[places[one]!]!.length);
    if (places[key] === 0) places[key] = anchors.push([]) - 1;
    anchors[places[key]!]!.push({ word, length });
  }
  return (text) => {
    const found: Stretch[] = [];
    /** Of a word that repeats itself there would be one at every place. */
    const ends = new Map<string, number>();
    let key = 0;
    for (let at = 0; at < text.length; at++) {
      key = keyWith(key, text.charCodeAt(at));
      if (places[key] === 0) continue;
      for (const { word, length } of anchors[places[key]!]!) {
        const from = at + 1 - length;
        if (from < (ends.get(word) ?? 0) || !text.startsWith(word, from)) continue;
        ends.set(word, from + word.length);
        enter(found, from, from + word.length);
      }
    }
    return found;
  };
}

function keyWith(key: number, code: number): number {
  return ((key << BITS) ^ code) & (KEYS - 1);
}

/** From the middle on: what all keys of a kind begin with stands in strangers' texts too. */
function rarestWindow(word: string, countOf: (key: number) => number): { key: number; length: number } {
  const windows = word.length - WINDOW + 1;
  let [best, least] = [{ key: 0, length: 0 }, Infinity];
  for (let i = 0; i < windows && least > 0; i++) {
    const from = (Math.floor(windows / 2) + i) % windows;
    let key = 0;
    for (let at = from; at < from + WINDOW; at++) key = keyWith(key, word.charCodeAt(at));
    if (countOf(key) >= least) continue;
    least = countOf(key);
    best = { key, length: from + WINDOW };
  }
  return best;
}

/** What overlaps the last one is one with it. */
function enter(found: Stretch[], from: number, to: number): void {
  const last = found.at(-1);
  if (last !== undefined && from < last[1] && to > last[0])
    found[found.length - 1] = [Math.min(from, last[0]), Math.max(to, last[1])];
  else found.push([from, to]);
}
