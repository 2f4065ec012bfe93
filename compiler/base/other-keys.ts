import { isObject, own, type JsonValue } from "./json.ts";
import { stableText } from "./stable-text.ts";

/** Of two objects with the same keys: those that say something else in the second, in its order. */
export function otherKeys(before: JsonValue, after: JsonValue): string[] {
  if (!isObject(before) || !isObject(after)) return [];
  const text = (entry: typeof before, key: string): string => stableText(own(entry, key) ?? null);
  return Object.keys(after).filter((key) => text(before, key) !== text(after, key));
}
