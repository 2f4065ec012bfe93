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
