/**
 * Whether two texts of one file differ in nothing but what formatters change: spaces, quotes, commas, brackets around one
 * thing. It advises, and decides nothing: a JSON file is compared by its values, of others the marks are looked past.
 */
export function sameButForLayout(file: string, text: string, other: string): boolean {
  if (!file.endsWith(".json")) return wordsOf(file, text) === wordsOf(file, other);
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(other));
  } catch {
    return false;
  }
}

function wordsOf(file: string, text: string): string {
  // The rule of a table is as long as its cells; one star is as good as the other mark.
  if (file.endsWith(".md")) return text.replace(/-+/g, "-").replace(/\*/g, "_").replace(MARKS, "");
  // A union that takes several lines begins each of them with its mark.
  return text
    .replace(/[\s()]/g, "")
    .replace(/([=:<>,[])\|(?!\|)/g, "$1")
    .replace(MARKS, "");
}

const MARKS = /[\s"'`,;()\\]/g;
