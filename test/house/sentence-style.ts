import type { CatalogueEntry, FixedTexts } from "../../compiler/diagnostics/types.ts";

/** What is wrong with the words of a catalogue entry: the style of diagnostics, as far as a machine can read it. */
export function flawsOfEntry(code: string, entry: CatalogueEntry): string[] {
  return [
    ...(/^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/.test(code) ? [] : ["the code isn't subject/slug"]),
    ...new Set(wordings(entry).flatMap(({ says, help }) => [...flawsOfSentence("says", says), ...flawsOfHelp(help)])),
    ...flawsOfWhy(entry.why),
  ];
}

interface Wording {
  readonly says: string;
  readonly help: readonly string[];
}

/** Every way in which a code is said: with the texts of each case in their slots. */
export function wordings({ says, help = [], cases }: CatalogueEntry): Wording[] {
  const fixed = cases === undefined ? [{}] : Object.values(cases);
  return fixed.map((texts) => ({
    says: withTexts(says, texts),
    // A case without a text for a help says nothing by it.
    help: [help]
      .flat()
      .map((one) => withTexts(one, texts))
      .filter((one) => one !== ""),
  }));
}

function withTexts(sentence: string, texts: FixedTexts): string {
  return sentence.replace(SLOT, (whole, slot: string) => texts[slot] ?? whole);
}

/** `{slot}`; the braces of a reference such as `${NAME}` are none. */
const SLOT = /(?<!\$)\{(\w+)\}/g;

/** Slots that hold a clause or a whole help, by their names: what is said there is the catalogue's to say. */
const OF_PROSE = ["problem", "why", "what", "state", "feature", "found", "expected", "help", "advice", "lack"];

/** What of an entry is said in words that whoever reports it makes up. */
export function openProse(entry: CatalogueEntry): string[] {
  const slots = wordings(entry).flatMap(({ says, help }) =>
    [says, ...help].flatMap((text) => [...text.matchAll(SLOT)].map(([, slot]) => slot!)),
  );
  return [...new Set(slots)].filter((slot) => OF_PROSE.includes(slot) || slot === "content").sort();
}

/** Texts of cases for slots that the entry doesn't have: nobody would ever see them. */
export function unseenTexts({ says, help = [], cases = {} }: CatalogueEntry): string[] {
  const slots = [says, ...[help].flat()].flatMap((text) => [...text.matchAll(SLOT)].map(([, slot]) => slot!));
  return Object.entries(cases).flatMap(([name, texts]) =>
    Object.keys(texts).flatMap((slot) => (slots.includes(slot) ? [] : [`${name}: ${slot}`])),
  );
}

function flawsOfHelp(help: readonly string[]): string[] {
  return help.flatMap((one) => flawsOfSentence("help", one));
}

/** Lower case, no full stop, one line; what starts with the user's own text starts with a backtick or a slot. */
export function flawsOfSentence(part: string, text: string): string[] {
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
