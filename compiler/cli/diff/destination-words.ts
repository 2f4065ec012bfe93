import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { stableText } from "../../base/stable-text.ts";
import { bounded, visible } from "../../base/visible.ts";

/** How a server is reached now, and wasn't: what of it is another. */
export function destinationWords(before: JsonValue, after: JsonValue): string {
  if (Array.isArray(before) && Array.isArray(after)) return "is tried in another order";
  if (!isObject(after)) return `isn't reached any more by ${wayWords(before)}`;
  const said = [
    ...wayChange(before, after),
    ...listWords(before, after, "variables", "reads the variable"),
    ...listWords(before, after, "headers", "sends the header"),
    ...listWords(before, after, "env", "gets the variable"),
    ...(isOther(before, after, "cwd") ? [`starts in ${shown(own(after, "cwd"))}`] : []),
  ];
  if (said.length > 0) return said.join(", ");
  return isOther(before, after, "values") ? "sends or gets other values" : "is reached otherwise";
}

function wayChange(before: JsonValue, after: JsonObject): string[] {
  if (!isObject(before)) return [`is reached by ${wayWords(after)}`];
  return wayOf(before) === wayOf(after) ? [] : [`is reached by ${wayWords(after)}, not ${wayWords(before)}`];
}

/** Where both are known: a way that is new is told as a whole. */
function isOther(before: JsonValue, after: JsonObject, key: string): boolean {
  return isObject(before) && stableText(own(before, key) ?? null) !== stableText(own(after, key) ?? null);
}

function listWords(before: JsonValue, after: JsonObject, key: string, words: string): string[] {
  const [was, is] = [listOf(before, key), listOf(after, key)];
  const [added, gone] = [is.filter((one) => !was.includes(one)), was.filter((one) => !is.includes(one))];
  return [
    ...(added.length > 0 ? [`${words}${added.length > 1 ? "s" : ""} ${added.map(shown).join(", ")}`] : []),
    ...(gone.length > 0 ? [`${words}${gone.length > 1 ? "s" : ""} ${gone.map(shown).join(", ")} no more`] : []),
  ];
}

function listOf(way: JsonValue, key: string): readonly JsonValue[] {
  const list = isObject(way) ? own(way, key) : undefined;
  return Array.isArray(list) ? list : [];
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? "the project" : bounded(visible(`\`${String(value)}\``));
}

function wayWords(way: JsonValue): string {
  return isObject(way) ? bounded(visible(`\`${wayOf(way)}\``)) : bounded(visible(stableText(way)));
}

function wayOf(way: JsonObject): string {
  const stdio = own(way, "stdio");
  return Array.isArray(stdio) ? stdio.join(" ") : String(own(way, "http") ?? own(way, "sse") ?? "");
}
