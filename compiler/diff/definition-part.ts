import type { JsonValue } from "../base/json.ts";
import { stableText } from "../base/stable-text.ts";

export type DefinitionPartName = "text" | "schema" | "hints";

/** One thing of a tool's definition that is another. */
export interface DefinitionPart {
  readonly part: DefinitionPartName;
  /** A sentence about the tool; names of strangers stand in it: whoever shows it makes it harmless. */
  readonly says: string;
  readonly before: string;
  readonly after: string;
}

export function part(
  name: DefinitionPartName,
  says: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
) {
  return { part: name, says, before: written(before), after: written(after) };
}

/** Empty: nothing was said. */
export function written(value: JsonValue | undefined): string {
  return value === undefined ? "" : typeof value === "string" ? value : stableText(value);
}
