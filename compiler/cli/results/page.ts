import { sourceYaml } from "../../base/block-yaml.ts";
import { visible } from "../../base/visible.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { ReadResults, ResultProblem, ToolResultSchema } from "../../results/types.ts";
import { resultBlocks } from "./json.ts";

/** To be put beside what the sources say of these servers. */
export function resultsPage(results: readonly ToolResultSchema[]): string {
  return sourceYaml({ servers: resultBlocks(results) });
}

export function problemLines({ problems, notes }: ReadResults, style: Style, quiet: boolean): string {
  const paint = paintWith(style.colour);
  const lines = (found: readonly ResultProblem[], word: "error" | "note"): string[] =>
    found.map(({ at, why }) => `${paint(word, word)}: \`${visible(at)}\`: ${visible(why)}\n`);
  return [...lines(problems, "error"), ...(quiet ? [] : lines(notes, "note"))].join("");
}

export function wrotePage({ results }: ReadResults, wrote: readonly string[]): string {
  const count = `${results.length} ${results.length === 1 ? "result" : "results"}`;
  return `wrote ${count} into ${wrote.map(visible).join(", ")}\nnext: rolecall build\n`;
}
