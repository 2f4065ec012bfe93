import { createWordSearch, SHORTEST_WORD, type Stretch } from "./word-search.ts";

/**
 * What is written otherwise by shells, SQL and YAML; by CSV; by mail. Each is less than another spelling to look for.
 * Trap: of several in a row each has several lengths, and all that they may have together would be tried, row by row.
 */
const QUOTED: Readonly<Record<string, (times: number) => string>> = {
  "'": (times) => `'(?:(?:"'"|\\\\)?'){${times - 1},${3 * times - 1}}`,
  '"': (times) => `(?:\`?"){${times},${2 * times}}`,
  "`": (times) => `\`{${times},${2 * times}}`,
  "=": () => "=(?:3D)?",
  "\\": () => "`?\\$",
};

const SIGNS = /['"=`$]/;

/** An expression made of longer ones may be too large to be one, and the error about it would show them. */
const LONGEST_IN_PATTERN = 1_000;

export function mayBeQuoted(word: string): boolean {
  return word.length <= LONGEST_IN_PATTERN && SIGNS.test(word);
}

/**
 * Looks for words that some quote otherwise. Each is found by the longest of its parts that nobody does, of which there
 * may be thousands; what stands around it an expression looks at, there alone.
 */
export interface QuotedSearch {
  add(word: string): void;
  remove(word: string): void;
  stretchesIn(text: string): Stretch[];
}

interface Quoted {
  readonly word: string;
  /** Made when it is first needed: with what stands before it as its first group. */
  pattern: RegExp | undefined;
}

export function createQuotedSearch(): QuotedSearch {
  const plain = createWordSearch();
  const around = new Map<string, Quoted[]>();
  /** Of quotes and little else: few, since an expression tries each of them at every place. */
  const others = new Set<string>();
  let ofOthers: RegExp | undefined;
  return {
    add(word) {
      const part = longestPart(word);
      if (part.length < SHORTEST_WORD) {
        others.add(word);
        ofOthers = undefined;
        return;
      }
      plain.add(part);
      around.set(part, [...(around.get(part) ?? []), { word, pattern: undefined }]);
    },
    remove(word) {
      const part = longestPart(word);
      if (others.delete(word)) ofOthers = undefined;
      const left = (around.get(part) ?? []).filter((one) => one.word !== word);
      around.set(part, left);
      if (left.length > 0) return;
      around.delete(part);
      plain.remove(part);
    },
    stretchesIn(text) {
      const found: Stretch[] = [];
      plain.placesIn(text, (part, from) => {
        for (const one of around.get(part)!) {
          const pattern = (one.pattern ??= patternAround(one.word, part));
          pattern.lastIndex = from;
          const match = pattern.exec(text);
          if (match !== null) found.push([from - match[1]!.length, pattern.lastIndex]);
        }
      });
      // A stranger's text may have more of them than a call takes arguments.
      if (others.size > 0)
        for (const one of overlapping(text, (ofOthers ??= patternOfAny([...others])))) found.push(one);
      return found;
    },
  };
}

function longestPart(word: string): string {
  return word.split(SIGNS).reduce((longest, one) => (one.length > longest.length ? one : longest));
}

function patternAround(word: string, part: string): RegExp {
  const at = word.indexOf(part);
  return new RegExp(`(?<=(${quotedly(word.slice(0, at))}))${quotedly(word.slice(at))}`, "y");
}

/** The longest first: a secret may begin with another. */
function patternOfAny(words: readonly string[]): RegExp {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(quotedly).join("|"), "g");
}

function quotedly(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")
    .replace(/'+|"+|`+|=|\\\$/g, (signs) => QUOTED[signs[0]!]!(signs.length));
}

/** Each at its place: one that was found first may hold the beginning of another. */
function* overlapping(text: string, pattern: RegExp): Generator<Stretch> {
  pattern.lastIndex = 0;
  for (let one = pattern.exec(text); one !== null; one = pattern.exec(text)) {
    yield [one.index, one.index + one[0].length];
    pattern.lastIndex = one.index + 1;
  }
}
