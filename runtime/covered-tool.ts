import { canonicalText } from "./canonical.ts";
import type { JsonValue } from "./contract.ts";
import type { JsonObject } from "./json-values.ts";

/** In the order of canonical JSON. `_meta`, icons and whatever else a server adds may change from one day to the next. */
const COVERED = ["annotations", "description", "inputSchema", "name", "outputSchema", "title"] as const;

export type CoveredKey = (typeof COVERED)[number];

/** What the digest of a tool is over, as sent: its canonical text, put together here so that parts can be cut out again. */
export interface CoveredTool {
  readonly text: string;
  /** Where in the text the value of a key stands. */
  readonly spans: { readonly [Key in CoveredKey]?: readonly [start: number, end: number] };
}

/** Throws for what canonical JSON can't tell. */
export function coveredTool(tool: JsonObject): CoveredTool {
  const spans: { [Key in CoveredKey]?: readonly [number, number] } = {};
  let text = "";
  for (const key of COVERED) {
    const value: JsonValue | undefined = Object.hasOwn(tool, key) ? tool[key] : undefined;
    if (value === undefined) continue;
    text += `${text === "" ? "{" : ","}"${key}":`;
    const from = text.length;
    text += canonicalText(value);
    spans[key] = [from, text.length];
  }
  return { text: text === "" ? "{}" : `${text}}`, spans };
}
