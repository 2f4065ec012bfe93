import { digestOf } from "../base/digest.ts";
import { keysOfSet } from "../base/key-set.ts";
import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";

/** By digest: nothing of a key that was written there by mistake is told. */
export function keysListed(text: string): readonly string[] {
  return sorted(new Set(keysOfSet(text).map((key) => digestOf(stableText(key)))));
}
