import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Plan } from "../3-plan/types.ts";

/** The arguments of a server's tool at which its pinned schema names more than it did; none: it names no more. */
export type MoreNamed = (server: string, tool: string) => readonly string[];

/** A tool with conditions takes only what its schema names. Without a plan of what was, nobody can tell. */
export function moreNamedBetween(before: Plan | undefined, after: Plan): MoreNamed {
  const toolIn = (plan: Plan | undefined, server: string, tool: string) =>
    plan?.servers.find(({ name }) => name === server)?.tools.find(({ name }) => name === tool);
  return (server, tool) => {
    const [was, is] = [toolIn(before, server, tool), toolIn(after, server, tool)];
    if (was === undefined || is === undefined || was.digest === null || is.digest === null) return ["*"];
    return moreNamed(JSON.parse(was.texts().inputSchema) as JsonValue, JSON.parse(is.texts().inputSchema) as JsonValue);
  };
}

/** What of a schema says which values are right, or is for people: no name follows from it. */
const WITHOUT_NAMES = new Set(
  (
    "title description $comment examples default deprecated readOnly writeOnly enum const required format pattern " +
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems " +
    "minProperties maxProperties"
  ).split(" "),
);

/** By places, `*` for all of it. What is said otherwise than by names and elements counts as more, unless it's the same. */
export function moreNamed(was: JsonValue, is: JsonValue, path: readonly string[] = []): string[] {
  if (stableText(was) === stableText(is)) return [];
  const place = path.join(".").replaceAll(".[]", "[]") || "*";
  if (!isObject(was) || !isObject(is)) return [place];
  const keys = sorted(new Set([...Object.keys(was), ...Object.keys(is)])).filter((key) => !WITHOUT_NAMES.has(key));
  return keys.flatMap((key) => {
    const [before, after] = [own(was, key), own(is, key)];
    if (key === "properties" && isObject(before) && isObject(after)) return moreOf(before, after, place, path);
    if (key === "items" && before !== undefined && after !== undefined)
      return moreNamed(before, after, [...path, "[]"]);
    return before !== undefined && after !== undefined && stableText(before) === stableText(after) ? [] : [place];
  });
}

/** An object of which nothing is named any more is free. */
function moreOf(was: JsonObject, is: JsonObject, place: string, path: readonly string[]): string[] {
  const names = Object.keys(is);
  if (names.length === 0) return Object.keys(was).length === 0 ? [] : [place];
  return names.flatMap((name) => {
    const before = own(was, name);
    return before === undefined ? [[...path, name].join(".")] : moreNamed(before, own(is, name)!, [...path, name]);
  });
}
