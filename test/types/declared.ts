import type { JsonValue } from "../../compiler/base/json.ts";
import type { DeclaredType } from "../../compiler/5-artifacts/typescript/type-of-schema.ts";

export type Row = readonly [name: string, schema: JsonValue, type: string];

export const anyObject = "{ [key: string]: unknown }";

/** All declarations on one line, without `export`. */
export function declared(type: DeclaredType): string {
  return type.declarations
    .map(({ text }) => text)
    .join(" ")
    .replaceAll("export ", "")
    .replace(/\s+/g, " ")
    .trim();
}
