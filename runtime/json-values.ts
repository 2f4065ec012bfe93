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

/** What is left of an allowance after a value: its values and characters together. It stops below zero. */
export function sizeLeft(value: JsonValue, left: number): number {
  if (typeof value === "string") return left - 1 - value.length;
  if (typeof value !== "object" || value === null) return left - 1;
  let rest = left - 1;
  if (isList(value)) {
    for (let i = 0; i < value.length && rest >= 0; i++) rest = sizeLeft(value[i]!, rest);
    return rest;
  }
  for (const key in value) {
    if (rest < 0) break;
    rest = sizeLeft((value as JsonObject)[key]!, rest - key.length);
  }
  return rest;
}

/** As JSON in UTF-8, of what was read from JSON. No text is made of the whole. */
export function bytesInJson(value: JsonValue): number {
  if (typeof value === "string")
    return AS_IT_IS.test(value) ? value.length + 2 : Buffer.byteLength(JSON.stringify(value));
  if (typeof value !== "object" || value === null) return JSON.stringify(value).length;
  // Each member has a comma behind it, but the last.
  let bytes = 1;
  if (isList(value)) for (let i = 0; i < value.length; i++) bytes += bytesInJson(value[i]!) + 1;
  else for (const key of Object.keys(value)) bytes += bytesInJson(key) + bytesInJson(value[key]!) + 2;
  return Math.max(2, bytes);
}

const AS_IT_IS = /^[ !#-[\]-~]*$/;
