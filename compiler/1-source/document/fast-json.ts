import type { JsonValue } from "../../base/json.ts";
import { deepestNesting } from "./limits.ts";

/**
 * JSON by the engine's own parser, when it is certain that nothing got lost in it: `JSON.parse` drops the first of
 * two equal keys and rounds long numbers silently. Undefined when it isn't certain or the text isn't JSON.
 */
export function readFastJson(text: string): { readonly value: JsonValue } | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  const written = countKeysWritten(text);
  return written !== undefined && written === countKeys(value, 1) ? { value } : undefined;
}

/** In valid JSON there is one colon outside of strings for each key. Undefined when a number could be rounded. */
function countKeysWritten(text: string): number | undefined {
  let keys = 0;
  let from = 0;
  while (from < text.length) {
    const quote = text.indexOf('"', from);
    const end = quote === -1 ? text.length : quote;
    for (let at = text.indexOf(":", from); at !== -1 && at < end; at = text.indexOf(":", at + 1)) keys++;
    if (riskyNumber.test(text.slice(from, end))) return undefined;
    from = quote === -1 ? end : endOfString(text, quote);
  }
  return keys;
}

/** Many digits, an exponent, or a negative zero. */
const riskyNumber = /[\d.]{16}|\d[eE]|-0/;

function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; ; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at + 1;
  }
}

/** NaN, which equals nothing, for what the full reader must say something about. */
function countKeys(value: JsonValue, depth: number): number {
  if (typeof value === "string") return /\p{Surrogate}/u.test(value) ? NaN : 0;
  if (typeof value !== "object" || value === null) return 0;
  if (depth > deepestNesting) return NaN;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) keys += countKeys(item, depth + 1);
    return keys;
  }
  for (const [key, held] of Object.entries(value)) {
    if (key === "__proto__" || key === "<<" || /\p{Surrogate}/u.test(key)) return NaN;
    keys += 1 + countKeys(held, depth + 1);
  }
  return keys;
}
