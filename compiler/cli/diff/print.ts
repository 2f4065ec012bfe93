import { printJson, styleOf, type Context } from "../command.ts";
import { annotationsPage } from "./annotations-page.ts";
import { differenceJson } from "./json.ts";
import { differenceMarkdown } from "./markdown-page.ts";
import { differencePage } from "./page.ts";
import type { DiffOptions } from "./options.ts";
import { differenceSarif } from "./sarif-json.ts";
import type { ShownDifference } from "./words.ts";

export function printDifference(context: Context, as: DiffOptions["as"], shown: ShownDifference): void {
  const { out } = context.terminal;
  if (as === "digest") out.write(`${shown.difference.digest}\n`);
  else if (as === "sarif") printJson(context, differenceSarif(shown));
  else if (context.json) printJson(context, differenceJson(shown));
  else if (as === "github") out.write(annotationsPage(shown));
  else if (as === "markdown") out.write(differenceMarkdown(shown));
  else if (!context.quiet) out.write(differencePage(shown, styleOf(context, out)));
}
