import { visible } from "../../base/visible.ts";
import { shownFile } from "../../base/shell-word.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { Proposal } from "../../first-project/types.ts";
import { wrap } from "../../base/wrap.ts";
import { factLines, page, wrapped, type LabelledFact } from "../page.ts";

/** What was found, and what would be written. */
export function proposalPage({ says, files, byHand, forCode }: Proposal, style: Style): string {
  const found = says.map(([label, values]): LabelledFact => [label, values.map(visible)]);
  const written = files.map(({ path, before }) => `${before === undefined ? "+" : "~"} ${visible(path)}`);
  const listed = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.flatMap((line) => wrap(`  ${visible(line)}`, style.width, "    "))];
  return page([
    ["This folder:", ...factLines(found, style)],
    listed("To write:", written),
    listed("By hand:", byHand),
    listed("By hand, before your code calls a tool:", forCode),
  ]);
}

export function startedPage({ captured, files, isToInstall, toImport }: Proposal, style: Style): string {
  const wrote = `\nwrote ${files.length} file${files.length === 1 ? "" : "s"}\n`;
  const install = isToInstall ? "npm install" : undefined;
  const imports = toImport.map((file) => `rolecall import ${shownFile(file)}`);
  const next = [install, ...imports, ...(captured.length > 0 ? [] : ["rolecall capture", "rolecall build"])].filter(
    Boolean,
  );
  return next.length === 0 ? wrote : `${wrote}${wrapped([`next: ${next.join(", then ")}`], style).join("\n")}\n`;
}

export function linesPage(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join("");
}
