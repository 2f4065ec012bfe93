/** Of a text, from one place to another. */
export type Stretch = readonly [from: number, to: number];

/** What is looked for has at least so many characters. */
export const SHORTEST_WORD = 4;
/** Of each character of a window, which so falls out of the key behind the last one. */
const BITS = 4;
const KEYS = 1 << (SHORTEST_WORD * BITS);

/** By which window a word is found, and how much of the word there is up to its end. */
interface Anchor {
  readonly word: string;
  readonly key: number;
  readonly length: number;
}

/**
 * Looks for thousands of words in one pass over a text: an expression would try each of them at every place. A word is
 * found by one of its windows that few others have.
 */
export interface WordSearch {
  add(word: string): void;
  remove(word: string): void;
  /** Each place of each word, in the order of the places of their windows. */
  placesIn(text: string, hear: (word: string, from: number) => void): void;
  /** What overlaps may be one. Of a word that repeats itself places may be left out that overlap another of its own. */
  stretchesIn(text: string): Stretch[];
}

export function createWordSearch(): WordSearch {
  const anchors: Anchor[][] = [[]];
  const places = new Uint32Array(KEYS);
  const known = new Map<string, Anchor>();
  const anchorsOf = (key: number): Anchor[] => anchors[places[key]!]!;
  const stretchesIn = (text: string): Stretch[] => {
    const found: Stretch[] = [];
    /** Of a word that repeats itself there would be one at every place. */
    const ends = new Map<string, number>();
    let key = 0;
    for (let at = 0; at < text.length; at++) {
      key = keyWith(key, text.charCodeAt(at));
      if (places[key] === 0) continue;
      for (const { word, length } of anchorsOf(key)) {
        const from = at + 1 - length;
        if (from < (ends.get(word) ?? 0) || !text.startsWith(word, from)) continue;
        ends.set(word, from + word.length);
        enter(found, from, from + word.length);
      }
    }
    return found;
  };
  return {
    add(word) {
      if (known.has(word)) return;
      const { key, length } = rareWindow(word, (one) => anchorsOf(one).length, known.size / KEYS);
      if (places[key] === 0) places[key] = anchors.push([]) - 1;
      const anchor = { word, key, length };
      anchorsOf(key).push(anchor);
      known.set(word, anchor);
    },
    remove(word) {
      const anchor = known.get(word);
      if (anchor === undefined) return;
      known.delete(word);
      const others = anchorsOf(anchor.key);
      others.splice(others.indexOf(anchor), 1);
    },
    placesIn(text, hear) {
      if (known.size === 0) return;
      let key = 0;
      for (let at = 0; at < text.length; at++) {
        key = keyWith(key, text.charCodeAt(at));
        if (places[key] === 0) continue;
        for (const { word, length } of anchorsOf(key))
          if (at + 1 >= length && text.startsWith(word, at + 1 - length)) hear(word, at + 1 - length);
      }
    },
    stretchesIn: (text) => (known.size === 0 ? [] : stretchesIn(text)),
  };
}

/** Of the last characters that were taken, as many as a word has at least. */
export function keyWith(key: number, code: number): number {
  return ((key << BITS) ^ code) & (KEYS - 1);
}

export function keyAt(text: string, from: number): number {
  let key = 0;
  for (let at = from; at < from + SHORTEST_WORD; at++) key = keyWith(key, text.charCodeAt(at));
  return key;
}

/** Of a long word: where thousands are known none may be rare. */
const MOST_TRIED = 32;

/**
 * One that no more words have than there are to each key. From the middle on: what all keys of a kind begin with stands in
 * strangers' texts too.
 */
function rareWindow(word: string, countOf: (key: number) => number, rare: number): { key: number; length: number } {
  const windows = word.length - SHORTEST_WORD + 1;
  let [best, least] = [{ key: 0, length: 0 }, Infinity];
  for (let i = 0; i < Math.min(windows, MOST_TRIED) && least > rare; i++) {
    const from = (Math.floor(windows / 2) + i) % windows;
    const key = keyAt(word, from);
    const count = countOf(key);
    if (count >= least) continue;
    least = count;
    best = { key, length: from + SHORTEST_WORD };
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
