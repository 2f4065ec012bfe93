import type { JsonValue } from "../../base/json.ts";
import { yamlLines } from "../yaml-lines.ts";

/** A key at the top with its value, ending in a line break. Lists and maps are written line by line. */
export function entryText(key: string, value: JsonValue, eol: string): string {
  return yamlLines({ [key]: value })
    .map((line) => line + eol)
    .join("");
}
