import { digestOf } from "../base/digest.ts";
import { isObject, own, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";

/** The keys that the text of a JWK Set has, whatever its layout. None where it is no such set: by that nobody comes in. */
export function keysOfSet(text: string): readonly JsonValue[] {
  try {
    const set = JSON.parse(text) as JsonValue;
    const keys = isObject(set) ? own(set, "keys") : undefined;
    return Array.isArray(keys) ? (keys as readonly JsonValue[]) : [];
  } catch {
    return [];
  }
}

/** By digest: nothing of a key that was written there by mistake is told. */
export function keysListed(text: string): readonly string[] {
  return sorted(new Set(keysOfSet(text).map((key) => digestOf(stableText(key)))));
}
