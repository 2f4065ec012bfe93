import { visible } from "../../base/visible.ts";
import type { ChangedText } from "../../diff/told.ts";
import type { TextSigns } from "../../diff/text-signs.ts";
import { suspicionWords } from "../capture/words.ts";

/** Of whom a text is, and what of it changed. */
export function textName({ server, tool, says }: ChangedText): string {
  return visible(`${tool === undefined ? server : `${server}.${tool}`}: ${says}`);
}

/** What to know of it before it is read: the worst first. */
export function signWords({ lines, characters, hasLink, suspicions }: TextSigns): string[] {
  return [
    ...suspicions.map(suspicionWords),
    ...(hasLink ? ["has a link, and had none"] : []),
    ...lengthWords(lines, "line"),
    ...(lines === 0 && Math.abs(characters) > SHORT ? lengthWords(characters, "character") : []),
  ];
}

function lengthWords(count: number, what: string): string[] {
  const many = `${Math.abs(count)} ${what}${Math.abs(count) === 1 ? "" : "s"}`;
  return count === 0 ? [] : [count > 0 ? `${many} longer` : `${many} shorter`];
}

/** A text of so many characters stands where it is told; a longer one has a place of its own. */
const SHORT = 160;

export function isShort({ before, after }: ChangedText): boolean {
  return [before, after].every((text) => text.length <= SHORT && !text.includes("\n"));
}

/** Before, then now; one line for each of its lines, so that a text with breaks can't begin a line of its own making. */
export function textLines({ before, after }: ChangedText, most = Infinity): string[] {
  return [...side("-", before, most), ...side("+", after, most)];
}

function side(sign: string, text: string, most: number): string[] {
  if (text === "") return [];
  const shown =
    [...text].length > most ? `${[...text].slice(0, most).join("")}… (${[...text].length} characters)` : text;
  return shown.split("\n").map((line) => `${sign} ${visible(line)}`);
}
