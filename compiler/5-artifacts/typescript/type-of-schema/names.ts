import { joinedWords } from "../../../base/identifiers.ts";
import { name, type Code } from "../writer.ts";

/** Hands out each identifier once. The same wishes in the same order give the same names. */
export interface Names {
  /** The name wished for, with the first free number where it is taken. */
  take(wish: string): Code;
}

export function createNames(reserved: readonly string[]): Names {
  const taken = new Set(reserved);
  const next = new Map<string, number>();
  return {
    take(wish) {
      let free = wish;
      let number = next.get(wish) ?? 2;
      while (taken.has(free)) free = `${wish}${number++}`;
      next.set(wish, number);
      taken.add(free);
      return name(free);
    },
  };
}

/** A stranger's text as the beginning of an identifier: its letters and digits, or `Tool` where it has none. */
export function pascalCase(text: string): string {
  const words = joinedWords(text.slice(0, longestName));
  return words === "" ? "Tool" : /^[0-9]/.test(words) ? `Tool${words}` : words;
}

const longestName = 80;
