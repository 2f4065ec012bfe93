import type { JsonValue } from "./contract.ts";

/** What kind of JSON a value is, and how large. */

export type JsonObject = { readonly [key: string]: JsonValue };

/** Array.isArray alone doesn't see that a readonly array is one. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is left of an allowance after a value: its values, at so much each, and characters together. It stops below zero. */
export function sizeLeft(value: JsonValue, left: number, ofValue: number = 1): number {
  if (typeof value === "string") return left - ofValue - value.length;
  if (typeof value !== "object" || value === null) return left - ofValue;
  let rest = left - ofValue;
  if (isList(value)) {
    for (let i = 0; i < value.length && rest >= 0; i++) rest = sizeLeft(value[i]!, rest, ofValue);
    return rest;
  }
  for (const key in value) {
    if (rest < 0) break;
    rest = sizeLeft((value as JsonObject)[key]!, rest - key.length, ofValue);
  }
  return rest;
}
