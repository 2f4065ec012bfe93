import { displayWidth, padToWidth } from "../base/display-width.ts";
import { hiddenOnLine } from "../base/hidden-values.ts";
import { shortened } from "../base/never-shown.ts";
import { wrap } from "../base/wrap.ts";
import type { Locate, Place } from "../base/place.ts";
import { bounded, visible } from "../base/visible.ts";
import { paintWith } from "../diagnostics/paint.ts";
import type { Style } from "../diagnostics/render-text.ts";

/** Pieces that pages are made of: labelled facts, and lines of source. */
export type LabelledFact = readonly [label: string, values: readonly string[]];

/** Labels to the left, values below each other, wrapped; facts without a value are left out. */
export function factLines(facts: readonly LabelledFact[], style: Style, broken: typeof wrap = wrap): string[] {
  const paint = paintWith(style.colour);
  const said = facts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => [bounded(name), values.map(bounded)] as const);
  const label = Math.max(0, ...said.map(([name]) => displayWidth(name)));
  const beside = (style.width ?? Infinity) - label - 4;
  return said.flatMap(([name, values]) => {
    if (values.some((value) => longestWord(value) > beside))
      return [paint("quiet", `  ${name}`), ...values.flatMap((value) => broken(`    ${value}`, style.width, "    "))];
    return values.flatMap((value, i) => {
      const lead = `  ${padToWidth(i === 0 ? name : "", label)}  `;
      const [first = "", ...rest] = broken(lead + value, style.width, " ".repeat(lead.length));
      return [paint("quiet", lead) + first.slice(lead.length), ...rest];
    });
  });
}

/** A path that doesn't fit beside its label goes below it, whole. */
function longestWord(value: string): number {
  return value.split(" ").reduce((most, word) => Math.max(most, displayWidth(word)), 0);
}

/** `file:line`, or the file alone when the line can't be found again. */
export function placeWords(place: Place, locate: Locate): string {
  const span = locate(place);
  return span === undefined ? visible(place.file) : `${visible(span.file)}:${span.line}`;
}

/** `file:line  text` of the line. */
export function lineWords(place: Place, locate: Locate): string {
  const at = locate(place);
  const text = at === undefined ? "" : shortened(at.text, hiddenOnLine(at), 0, at.text.length).trim().slice(0, 200);
  return text === "" ? placeWords(place, locate) : `${placeWords(place, locate)}  ${visible(text)}`;
}

/** Lines of words, which begin further in where they go on. */
export function wrapped(lines: readonly string[], { width }: Style): string[] {
  return lines.flatMap((line) => wrap(line, width, "  "));
}

export function page(sections: readonly (readonly string[])[]): string {
  return (
    sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join("\n"))
      .join("\n\n") + "\n"
  );
}
