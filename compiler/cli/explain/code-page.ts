import type { JsonObject } from "../../base/json.ts";
import { wrap } from "../../base/wrap.ts";
import { paintWith } from "../../diagnostics/paint.ts";
import type { Style } from "../../diagnostics/render-text.ts";
import type { CatalogueEntry } from "../../diagnostics/types.ts";
import { page } from "../page.ts";

const READABLE = 76;

/** `rolecall explain <code>`: what the code says, why it matters, what to do. */
export function codePage(code: string, entry: CatalogueEntry, style: Style): string {
  const paint = paintWith(style.colour);
  const width = Math.min(style.width ?? READABLE, READABLE);
  const paragraph = (words: string) => wrap(`  ${words}`, width, "  ");
  const help = helpOf(entry);
  return page([
    [paint(entry.severity, `${entry.severity}[${code}]`), ...paragraph(withSlots(entry.says))],
    ["why", ...paragraph(entry.why)],
    help === undefined ? [] : ["what to do", ...paragraph(help)],
    ["severity", ...paragraph(severityWords(code, entry))],
  ]);
}

export function codeJson(code: string, entry: CatalogueEntry): JsonObject {
  return {
    format: 1,
    code,
    severity: entry.severity,
    adjustable: entry.adjustable === true,
    says: withSlots(entry.says),
    help: helpOf(entry) ?? null,
    why: entry.why,
  };
}

/** Nothing when the whole help is made for each case. */
function helpOf(entry: CatalogueEntry): string | undefined {
  const fixed = [entry.help ?? []].flat().filter((help) => !/^\{\w+\}$/.test(help));
  return fixed.length === 0 ? undefined : fixed.map(withSlots).join("; or ");
}

function withSlots(sentence: string): string {
  return sentence.replace(/(?<!\$)\{(\w+)\}/g, "<$1>");
}

function severityWords(code: string, entry: CatalogueEntry): string {
  const stops = entry.severity === "error" ? "it stops the build" : "it doesn't stop the build";
  const change = entry.adjustable ? `change it in rolecall.yaml: severities: { ${code}: off }` : "it can't be changed";
  return `${entry.severity}: ${stops}; ${change}`;
}
