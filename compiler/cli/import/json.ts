import type { JsonObject } from "../../base/json.ts";
import { pathWords } from "../../base/path-words.ts";
import { diagnosticsJson } from "../../diagnostics/render-json.ts";
import type { Diagnostic } from "../../diagnostics/types.ts";
import type { TakenIn } from "./page.ts";
import type { TranslatedSource } from "../../translate.ts";

export function takenInJson(
  { format, origins, referred }: TranslatedSource,
  { from, to, left, presets, differs }: TakenIn,
  diagnostics: readonly Diagnostic[],
): JsonObject {
  return {
    format: 1,
    from,
    to,
    as: format.id,
    presets: { used: presets.used.map(({ server, preset }) => ({ server, preset })), copied: [...presets.copied] },
    keys: origins.map(([made, written, file]) => ({
      ...(file !== undefined && { file }),
      from: pathWords(written),
      to: pathWords(made),
    })),
    left: left.map(({ server, file, unlike }) => ({ server, declaredIn: file, notTakenOver: unlike })),
    variables: referred.map(({ variable, written }) => ({ name: variable, from: pathWords(written) })),
    differs: differs as unknown as JsonObject[],
    diagnostics: diagnosticsJson(diagnostics),
  };
}
