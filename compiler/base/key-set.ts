import { isObject, own, type JsonValue } from "./json.ts";

/** What a file of an issuer's keys (a JWK Set) may have; by one that has more nobody comes in. */
export const LARGEST_KEY_SET = 1_000_000;
export const MOST_KEYS = 1_000;

/** The keys that the text of a JWK Set has, whatever its layout. None where it is no such set: by that nobody comes in. */
export function keysOfSet(text: string): readonly JsonValue[] {
  if (text.length > LARGEST_KEY_SET) return [];
  try {
    const set = JSON.parse(text) as JsonValue;
    const keys = isObject(set) ? own(set, "keys") : undefined;
    return Array.isArray(keys) && keys.length <= MOST_KEYS ? (keys as readonly JsonValue[]) : [];
  } catch {
    return [];
  }
}
