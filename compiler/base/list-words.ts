const MOST_NAMED = 3;

/** The first few of a list, and how many more there are. */
export function firstOf(words: readonly string[]): string {
  const first = words.slice(0, MOST_NAMED).join(", ");
  return words.length > MOST_NAMED ? `${first} and ${words.length - MOST_NAMED} more` : first;
}
