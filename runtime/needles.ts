import { createRests, type Rests } from "./cut-secrets.ts";
import { createQuotedSearch, mayBeQuoted } from "./quoted-search.ts";
import { encodingsOf, nestedEncodingsOf, spellingsOf } from "./secret-spellings.ts";
import { createWordSearch, type Stretch } from "./word-search.ts";

/** What is looked for of values in a text, and in what the text is without its escapes: each in all its spellings. */
export interface Needles {
  /** How they are spelled is found out when a text is first looked through. */
  learn(value: string): void;
  forget(value: string): void;
  /** Nothing in a shorter text is found; Infinity where nothing is known. */
  shortest(): number;
  stretchesIn(text: string): Stretch[];
  /** For texts that may have been cut. */
  rests(): Rests;
}

/** `partsOf`: what is looked for of a value. */
export function createNeedles(shortest: number, partsOf: (value: string) => readonly string[]): Needles {
  const unread = new Set<string>();
  const read = new Map<string, readonly string[]>();
  /** Of how many values each is one. */
  const counts = new Map<string, number>();
  const [plain, quoted] = [createWordSearch(), createQuotedSearch()];
  const searchOf = (needle: string): Pick<typeof plain, "add" | "remove"> => (mayBeQuoted(needle) ? quoted : plain);
  let least = Infinity;
  let rests: Rests | undefined;
  const add = (needle: string): void => {
    const count = counts.get(needle) ?? 0;
    counts.set(needle, count + 1);
    if (count > 0) return;
    searchOf(needle).add(needle);
    rests?.add(needle);
    least = Math.min(least, needle.length);
  };
  const remove = (needle: string): void => {
    const count = counts.get(needle)! - 1;
    if (count > 0) return void counts.set(needle, count);
    counts.delete(needle);
    searchOf(needle).remove(needle);
    rests?.remove(needle);
  };
  const readAll = (): void => {
    if (unread.size === 0) return;
    for (const value of unread) {
      // Two parts may have a spelling in common: it is counted twice, here and when the value is forgotten.
      const needles = partsOf(value)
        .flatMap(spelled)
        .filter(({ length }) => length >= shortest);
      needles.forEach(add);
      read.set(value, needles);
    }
    unread.clear();
  };
  return {
    learn: (value) => void unread.add(value),
    forget(value) {
      unread.delete(value);
      read.get(value)?.forEach(remove);
      read.delete(value);
    },
    shortest() {
      readAll();
      return least;
    },
    stretchesIn(text) {
      readAll();
      const found = plain.stretchesIn(text);
      for (const one of quoted.stretchesIn(text)) found.push(one);
      return found;
    },
    rests() {
      readAll();
      return (rests ??= createRests(counts.keys()));
    },
  };
}

function spelled(part: string): string[] {
  return [...spellingsOf(part), ...encodingsOf(part), ...nestedEncodingsOf(part)];
}
