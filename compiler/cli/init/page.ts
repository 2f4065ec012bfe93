import { visible } from "../../base/visible.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { Proposal } from "../../first-project/types.ts";
import { factLines, page, type LabelledFact } from "../page.ts";

/** What was found, and what would be written. */
export function proposalPage({ says, files, byHand }: Proposal, style: Style): string {
  const found = says.map(([label, values]): LabelledFact => [label, values.map(visible)]);
  const written = files.map(({ path, before }) => `${before === undefined ? "+" : "~"} ${visible(path)}`);
  return page([
    ["This folder:", ...factLines(found, style)],
    ["To write:", ...written.map((line) => `  ${line}`)],
    byHand.length === 0 ? [] : ["By hand:", ...byHand.map((line) => `  ${visible(line)}`)],
  ]);
}

export function startedPage({ captured, files }: Proposal): string {
  const wrote = `wrote ${files.length} file${files.length === 1 ? "" : "s"}\n`;
  return captured.length > 0 ? wrote : `${wrote}next: npx rolecall capture, then npx rolecall build\n`;
}

export function linesPage(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join("");
}
