import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import type { KeyPath } from "../../base/place.ts";
import type { FoundSettings, Narrowing } from "./narrowing.ts";
import { NOT_HELD, restrictionsIn } from "./passed-by.ts";

/** Texts of a list in such settings, each with its way. What stands there and is no such list is told. */
export function textsAt(
  { file, value }: FoundSettings,
  path: readonly string[],
  made: Narrowing,
): readonly (readonly [text: string, path: KeyPath])[] {
  const held = path.reduce<JsonValue | undefined>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
  if (held === undefined || held === null) return [];
  const items = Array.isArray(held) ? held : [null];
  if (items.some((one) => typeof one !== "string")) made.leave({ file, path }, `\`${path.join(".")}\``, NOT_HELD);
  return items.flatMap((one, i) => (typeof one === "string" ? [[one, [...path, i]] as const] : []));
}

/** Of all other keys those whose words say that they take servers away. */
export function leaveOthers({ file, value }: FoundSettings, known: readonly string[], made: Narrowing): void {
  const others: JsonObject = Object.fromEntries(Object.entries(value).filter(([key]) => !known.includes(key)));
  for (const path of restrictionsIn(others))
    if (/mcp|server/i.test(path.join("."))) made.leave({ file, path }, `\`${path.join(".")}\``, NOT_HELD);
}

/** Rules of an agent's own. */
const OF_AGENTS = "it is about one agent: write who may what in roles and policies";

/** An agent's list that names tools of these servers. */
export function leaveAgentsList(
  { file, value }: FoundSettings,
  isOf: (name: string, server: string) => boolean,
  made: Narrowing,
  key = "tools",
): void {
  const held = value[key];
  const list = typeof held === "string" ? held.split(",") : Array.isArray(held) ? held.map(String) : [];
  const names = list.map((name) => name.trim());
  if (names.some((name) => made.servers.some((server) => isOf(name, server))))
    made.leave({ file, path: [key] }, `\`${key}\``, OF_AGENTS);
}
