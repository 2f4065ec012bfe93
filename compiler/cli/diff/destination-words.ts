import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { bounded, visible } from "../../base/visible.ts";

/** What happened to the way to a server, in a few words. */
export function destinationHead(before: JsonValue, after: JsonValue): string {
  if (Array.isArray(before) && Array.isArray(after)) return "its addresses are tried in another order";
  if (!isObject(after)) return "one way to it is gone";
  if (!isObject(before)) return "it can be reached in one more way";
  const [was, is] = [wayOf(before), wayOf(after)];
  if (was !== is) return movedWords(before, after);
  const [more, less] = [factsOf(before, after), factsOf(after, before)];
  if (more.length > 0) return "it gets more than before";
  return less.length > 0 ? "it gets less than before" : "it gets other values";
}

function movedWords(before: JsonObject, after: JsonObject): string {
  if (isCommand(after)) return isCommand(before) ? "another command starts it" : "a command starts it now";
  const [was, is] = [hostOf(before), hostOf(after)];
  return was === is ? "calls go to another address of the same host" : "calls go to another host";
}

/** One fact a line: before, then now, then what is new. */
export function destinationLines(before: JsonValue, after: JsonValue): string[] {
  if (!isObject(after)) return isObject(before) ? [`before: ${wayWords(before)}`] : [];
  const isOther = !isObject(before) || wayOf(before) !== wayOf(after);
  const cwd = (way: JsonValue): string => (isObject(way) ? String(own(way, "cwd") ?? "the project") : "");
  return [
    ...(isOther && isObject(before) ? [`before: ${wayWords(before)}`] : []),
    ...(isOther ? [`now: ${wayWords(after)}`] : []),
    ...factsOf(before, after).map((fact) => `new: ${fact}`),
    ...factsOf(after, before).map((fact) => `gone: ${fact}`),
    ...(isObject(before) && cwd(before) !== cwd(after)
      ? [`now starts in ${shown(cwd(after))}, before in ${shown(cwd(before))}`]
      : []),
  ];
}

const FACTS = [
  ["variables", "it reads the environment variable"],
  ["headers", "it is sent the header"],
  ["env", "it is given the environment variable"],
] as const;

/** What the second has and the first hasn't. */
function factsOf(without: JsonValue, having: JsonValue): string[] {
  return FACTS.flatMap(([key, words]) => {
    const known = listOf(without, key);
    return listOf(having, key).flatMap((one) => (known.includes(one) ? [] : [`${words} ${shown(one)}`]));
  });
}

function listOf(way: JsonValue, key: string): readonly JsonValue[] {
  const list = isObject(way) ? own(way, key) : undefined;
  return Array.isArray(list) ? list : [];
}

function shown(value: JsonValue): string {
  return bounded(visible(`\`${String(value)}\``));
}

function wayWords(way: JsonObject): string {
  return shown(wayOf(way));
}

function isCommand(way: JsonObject): boolean {
  return Array.isArray(own(way, "stdio"));
}

function wayOf(way: JsonObject): string {
  const stdio = own(way, "stdio");
  return Array.isArray(stdio) ? stdio.join(" ") : String(own(way, "http") ?? own(way, "sse") ?? "");
}

/** As it is written: what a variable brings isn't known here. */
function hostOf(way: JsonObject): string {
  return /^[a-z]+:\/\/[^/?#]*/i.exec(wayOf(way))?.[0] ?? wayOf(way);
}
