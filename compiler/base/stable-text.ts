import { canonicalText } from "./canonical.ts";
import { isObject, type JsonValue } from "./json.ts";
import { sorted } from "./order.ts";

/** The same text for the same value, in whatever order its keys came. A broken character in it makes nothing fail. */
export function stableText(value: JsonValue): string {
  try {
    return canonicalText(value);
  } catch {
    return JSON.stringify(inOrder(value));
  }
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(sorted(Object.keys(value)).map((key) => [key, inOrder(value[key]!)]));
}
