/** Takes the values of references out of text that leaves rolecall. */
export type Mask = (text: string) => string;

/** Shorter values stand in ordinary words: taking them out would hide nothing and spoil the sentence. */
const SHORTEST = 4;

export function maskOf(values: readonly string[]): Mask {
  const forms = [...new Set(values)].filter((value) => value.length >= SHORTEST).flatMap(formsOf);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((masked, form) => masked.replaceAll(form, "***"), text);
}

/** A value as it is, in an address, and in JSON; and each long line of one that has several. */
function formsOf(value: string): string[] {
  const trimmed = value.trim();
  const lines = trimmed.split(/\r?\n/).filter((line) => line.length >= SHORTEST * 2);
  return [
    value,
    trimmed,
    encodeURIComponent(wellFormed(trimmed)),
    JSON.stringify(trimmed).slice(1, -1),
    ...lines,
  ].filter((form) => form.length >= SHORTEST);
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "");
}
