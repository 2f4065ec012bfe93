import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/**
 * Lists for maps, maps for lists, one text for a list: what a person meant where the language has the other form. These
 * only propose: what doesn't fit the schema of its place isn't shown, and a value whose meaning is open isn't proposed.
 */

export const ANY_WORD = /^(?:all|any|every|everyone|everything|\*)$/i;
export const NONE_WORD = /^(?:none|nothing|no|never)$/i;

/** Names in one text, or as the keys of a map that says no more than that they are meant. */
export function namesIn(found: JsonValue, all: string): string[] | undefined {
  if (found === true) return [all];
  if (typeof found === "string") {
    if (ANY_WORD.test(found)) return [all];
    if (NONE_WORD.test(found) || found.trim() === "") return undefined;
    return found.split(/\s*,\s*|\s+(?!&)(?<!& )/).filter((name) => name !== "");
  }
  if (!isObject(found)) return undefined;
  const only = Object.entries(found);
  const [key, value] = only[0] ?? [];
  if (only.length === 1 && typeof value === "string" && /^(?:is|scope|label)$/.test(key!)) return [`${key}:${value}`];
  return only.length > 0 && only.every(([, says]) => says === null || says === true)
    ? only.map(([name]) => name)
    : undefined;
}

/** `{ github: [merge_*] }` as `github.merge_*`, the form of rules. */
export function fullNamesIn(found: JsonValue): string[] | undefined {
  const plain = namesIn(found, "*.*");
  if (plain || !isObject(found)) return plain;
  const names = Object.entries(found).map(([server, held]) => toolsOf(held)?.map((tool) => `${server}.${tool}`));
  return names.every((list) => list !== undefined) && names.length > 0 ? names.flat() : undefined;
}

function toolsOf(held: JsonValue): readonly string[] | undefined {
  if (held === "read-only") return ["is:read-only"];
  if (Array.isArray(held)) {
    const list = held as readonly JsonValue[];
    return list.every((item) => typeof item === "string") ? list : undefined;
  }
  return namesIn(held, "*");
}

/** Items that name themselves, by their names: `[{ name: a, ... }]` as `{ a: { ... } }`. */
export function byOwnName(found: readonly JsonValue[]): JsonObject | undefined {
  const entries = found.map((item): [string, JsonValue] | undefined => {
    if (!isObject(item)) return undefined;
    const { name, id, ...rest } = item as { name?: JsonValue; id?: JsonValue };
    const key = name ?? id;
    if (typeof key === "string") return [key, rest as JsonObject];
    const [only, ...more] = Object.entries(item);
    return only && more.length === 0 && isObject(only[1]) ? only : undefined;
  });
  return entries.length > 0 && entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : undefined;
}

/** Rules by their names, as the list that they are here. */
export function withOwnName(found: JsonObject): JsonObject[] | undefined {
  const items = Object.entries(found).map(([name, rule]) => (isObject(rule) ? { name, ...rule } : undefined));
  return items.length > 0 && items.every((item) => item !== undefined) ? items : undefined;
}

/** `[github.create_issue, { notes: all }]` as a map from server to tools. */
export function byServer(found: JsonValue): JsonObject | undefined {
  const items = typeof found === "string" ? namesIn(found, "*") : found;
  if (!Array.isArray(items)) return undefined;
  const map = new Map<string, JsonValue>();
  for (const item of items as readonly JsonValue[]) {
    const [server, held] = typeof item === "string" ? partsOf(item) : (onlyEntry(item) ?? []);
    if (server === undefined || held === undefined) return undefined;
    const before = map.get(server);
    if (before !== undefined && !(Array.isArray(before) && Array.isArray(held))) return undefined;
    map.set(server, before === undefined ? held : [...(before as JsonValue[]), ...(held as JsonValue[])]);
  }
  return map.size === 0 ? undefined : Object.fromEntries(map);
}

function partsOf(written: string): [string, JsonValue] | [] {
  const found = /^([a-z][a-z0-9_-]*)\.(.+)$/s.exec(written);
  return found ? [found[1]!, [found[2]!]] : [];
}

function onlyEntry(item: JsonValue): [string, JsonValue] | undefined {
  const entries = isObject(item) ? Object.entries(item) : [];
  return entries.length === 1 ? entries[0] : undefined;
}

/** `{ create_issue: ask, list_issues: true }`: what one says of each tool, as the keys of an entry. */
export function entryOfTools(found: JsonObject): JsonObject | undefined {
  const says = { include: [] as string[], ask: [] as string[], exclude: [] as string[] };
  for (const [tool, word] of Object.entries(found)) {
    const key = typeof word === "boolean" ? (word ? "include" : "exclude") : WORDS.get(String(word).toLowerCase());
    if (key === undefined) return undefined;
    says[key].push(tool);
    if (key === "ask") says.include.push(tool);
  }
  return Object.fromEntries(Object.entries(says).filter(([, tools]) => tools.length > 0));
}

const WORDS: ReadonlyMap<string, "include" | "ask" | "exclude"> = new Map([
  ...["allow", "allowed", "yes", "include"].map((word) => [word, "include"] as const),
  ...["ask", "confirm", "approve", "prompt"].map((word) => [word, "ask"] as const),
  ...["deny", "denied", "no", "never", "block", "exclude"].map((word) => [word, "exclude"] as const),
]);
