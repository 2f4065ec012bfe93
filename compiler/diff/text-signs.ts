import { suspicionsInText, type Suspicion } from "../capture/poison.ts";

/** What a reader should know of a text that models read, before reading it. */
export interface TextSigns {
  /** More lines than before; less than nothing: fewer. */
  readonly lines: number;
  readonly characters: number;
  readonly hasLink: boolean;
  /** What stands in it and stood nowhere in the old one. */
  readonly suspicions: readonly Suspicion["kind"][];
}

const LINK = /\b[a-z][a-z0-9+.-]{0,60}:\/\/|\bwww\./i;

export function textSigns(before: string, after: string): TextSigns {
  const known = new Set(suspicionsInText(before).map(({ kind }) => kind));
  const linesIn = (text: string): number => (text === "" ? 0 : text.split("\n").length);
  return {
    lines: linesIn(after) - linesIn(before),
    characters: [...after].length - [...before].length,
    hasLink: LINK.test(after) && !LINK.test(before),
    suspicions: suspicionsInText(after).flatMap(({ kind }) => (known.has(kind) ? [] : [kind])),
  };
}
