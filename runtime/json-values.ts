import type { JsonValue } from "./contract.ts";

/** What kind of JSON a value is. */

export type JsonObject = { readonly [key: string]: JsonValue };

/** Array.isArray alone doesn't see that a readonly array is one. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
