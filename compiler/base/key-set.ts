import { isObject, own, valuesLeft, type JsonValue } from "./json.ts";

/** What an issuer's keys (a JWK Set) may have; by a set that has more nobody comes in. */
export const LARGEST_KEY_SET = 1_000_000;
export const MOST_KEYS = 1_000;
/** Each token has every key looked at, and every operation compared with all others: eight are known. */
const MOST_OPERATIONS = 10;
const MOST_VALUES = 100;

export function isTooLargeKey(key: JsonValue): boolean {
  const operations = isObject(key) ? own(key, "key_ops") : undefined;
  if (Array.isArray(operations) && operations.length > MOST_OPERATIONS) return true;
  return valuesLeft(key, MOST_VALUES) < 0;
}

/** The keys that the text of a JWK Set has, whatever its layout. None where it is no such set: by that nobody comes in. */
export function keysOfSet(text: string): readonly JsonValue[] {
  if (text.length > LARGEST_KEY_SET) return [];
  try {
    const set = JSON.parse(text) as JsonValue;
    const keys = isObject(set) ? own(set, "keys") : undefined;
    if (!Array.isArray(keys) || keys.length > MOST_KEYS) return [];
    return (keys as readonly JsonValue[]).some(isTooLargeKey) ? [] : keys;
  } catch {
    return [];
  }
}
