import { isObject, type JsonValue } from "../../base/json.ts";
import { isSoundJson } from "../../base/sound-json.ts";
import { deepestNesting } from "./limits.ts";

export function isJsonFile(file: string): boolean {
  return /\.json$/i.test(file);
}

/**
 * JSON by the engine's own parser, when nothing got lost in it. Undefined where something may have, or the text isn't
 * JSON, or the full reader must say something about it.
 */
export function readFastJson(text: string): { readonly value: JsonValue } | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  return isSoundJson(text, value) && isPlain(value, 1) ? { value } : undefined;
}

/** Nothing that means something else in a source than in JSON, and not too deep. */
function isPlain(value: JsonValue, depth: number): boolean {
  if (typeof value !== "object" || value === null) return !Object.is(value, -0);
  if (depth > deepestNesting) return false;
  const children: readonly JsonValue[] = isObject(value) ? Object.values(value) : value;
  if (isObject(value) && (Object.hasOwn(value, "__proto__") || Object.hasOwn(value, "<<"))) return false;
  return children.every((child) => isPlain(child, depth + 1));
}
