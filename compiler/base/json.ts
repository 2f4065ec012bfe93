import type { JsonValue } from "../../runtime/contract.ts";
import type { JsonObject } from "../../runtime/json-values.ts";

/** JSON as data. Objects that come from strangers may hold any key, `__proto__` included, as an own property. */
export type { JsonObject, JsonValue };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property or nothing: `constructor` and the like are never found on the prototype. */
export function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** What is left of so many values after all that are in this one; it stops below zero. */
export function valuesLeft(value: JsonValue, left: number): number {
  let rest = left - 1;
  if (typeof value !== "object" || value === null) return rest;
  for (const inner of Object.values(value) as JsonValue[]) {
    if (rest < 0) break;
    rest = valuesLeft(inner, rest);
  }
  return rest;
}
