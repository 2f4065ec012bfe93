import { isObject, own, type JsonObject } from "../base/json.ts";
import type { Entries } from "./types.ts";

/** Objects of a `.jsonl` file. */
export function objectLines(text: string): Entries<JsonObject> {
  const entries: JsonObject[] = [];
  let unreadable = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const value = parsed(line);
    if (isObject(value)) entries.push(value);
    else unreadable++;
  }
  return { entries, unreadable };
}

/** Objects of a list in a `.json` file, which may stand under one of these keys. Undefined: it isn't whole, or holds none. */
export function objectList(text: string, keys: readonly string[]): readonly JsonObject[] | undefined {
  const value = parsed(text);
  const named = isObject(value) ? keys.map((key) => own(value, key)).find((one) => Array.isArray(one)) : value;
  return Array.isArray(named) ? (named as unknown[]).filter(isObject) : undefined;
}

/** The first of these keys that has a word or a number. */
export function wordAt(entry: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = own(entry, key);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number") return String(value);
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
