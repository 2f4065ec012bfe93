import type { CatalogueEntry } from "../../compiler/diagnostics/types.ts";

/** What is wrong with the words of a catalogue entry: the style of diagnostics, as far as a machine can read it. */
export function flawsOfEntry(code: string, entry: CatalogueEntry): string[] {
  return [
    ...(/^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/.test(code) ? [] : ["the code isn't subject/slug"]),
    ...flawsOfSentence("says", entry.says),
    ...[entry.help ?? []].flat().flatMap((help) => flawsOfSentence("help", help)),
    ...flawsOfWhy(entry.why),
  ];
}

/** Lower case, no full stop, one line; what starts with the user's own text starts with a backtick or a slot. */
function flawsOfSentence(part: string, text: string): string[] {
  return [
    ...(/^[a-z`{]/.test(text) ? [] : [`${part} doesn't start in lower case`]),
    ...(/[.!]$/.test(text) ? [`${part} ends like a sentence`] : []),
    ...(isTidy(text) ? [] : [`${part} isn't one tidy line`]),
    ...(text.split("`").length % 2 === 1 ? [] : [`${part} has a backtick without its pair`]),
  ];
}

function flawsOfWhy(why: string): string[] {
  return [
    ...(why.length >= 40 ? [] : ["why is too short to explain anything"]),
    ...(why.endsWith(".") ? [] : ["why doesn't end with a full stop"]),
    ...(isTidy(why) ? [] : ["why isn't one tidy line"]),
  ];
}

function isTidy(text: string): boolean {
  return text.trim() === text && !/[\r\n\t]| {2}/.test(text);
}
