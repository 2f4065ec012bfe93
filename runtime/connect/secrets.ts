const CONTROL = /[^\P{Cc}\n\t]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Text of servers and systems, fit to be shown: secrets replaced, and nothing in it that steers a terminal. */
export function cleanText(text: string, secrets: ReadonlySet<string>): string {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((clean, secret) => clean.replaceAll(secret, "***"), text).replace(CONTROL, "");
}
