import type { JsonValue } from "../contract.ts";

/** The value itself, which nobody changes from now on. */
export function deepFrozen<Value extends JsonValue>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const key of Object.keys(value)) deepFrozen((value as { readonly [key: string]: JsonValue })[key]!);
  return Object.freeze(value);
}
