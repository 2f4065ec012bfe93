import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { madeOnce } from "../base/made-once.ts";
import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Plan } from "../3-plan/types.ts";
import { escapeArgumentName } from "../../runtime/conditions.ts";

/** The arguments of a server's tool at which its pinned schema names more than it did; none: it names no more. */
export type MoreNamed = (server: string, tool: string) => readonly string[];

/** The input schema that a tool of a server is pinned with; undefined: nobody knows. */
export type PinnedSchemas = (server: string, tool: string) => JsonValue | undefined;

/** A tool with conditions takes only what its schema names. Where one of the two isn't known, nobody can tell. */
export function moreNamedBetween(before: PinnedSchemas, after: PinnedSchemas): MoreNamed {
  // Many roles hold a tool.
  const known = madeOnce((server: string) =>
    madeOnce((tool: string) => {
      const [was, is] = [before(server, tool), after(server, tool)];
      return was === undefined || is === undefined ? ["*"] : moreNamed(was, is);
    }),
  );
  return (server, tool) => known(server)(tool);
}

/** `plan` undefined: there is none of it. */
export function schemasIn(plan: Plan | undefined): PinnedSchemas {
  return (server, tool) => {
    const found = plan?.servers.find(({ name }) => name === server)?.tools.find(({ name }) => name === tool);
    return found === undefined || found.digest === null
      ? undefined
      : (JSON.parse(found.texts().inputSchema) as JsonValue);
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

/** By places, as conditions name them, `*` for all of it. What is said otherwise than by names and elements counts as more, unless it's the same. */
export function moreNamed(was: JsonValue, is: JsonValue, path: readonly string[] = []): string[] {
  if (stableText(was) === stableText(is)) return [];
  const place = path.join(".") || "*";
  if (!isObject(was) || !isObject(is)) return [place];
  const keys = sorted(new Set([...Object.keys(was), ...Object.keys(is)])).filter((key) => !WITHOUT_NAMES.has(key));
  return keys.flatMap((key) => {
    const [before, after] = [own(was, key), own(is, key)];
    if (key === "properties" && isObject(before) && isObject(after)) return moreOf(before, after, place, path);
    if (key === "items" && before !== undefined && after !== undefined)
      return moreNamed(before, after, [...path.slice(0, -1), `${path.at(-1) ?? ""}[]`]);
    return before !== undefined && after !== undefined && stableText(before) === stableText(after) ? [] : [place];
  });
}

/** An object of which nothing is named any more is free. */
function moreOf(was: JsonObject, is: JsonObject, place: string, path: readonly string[]): string[] {
  const names = Object.keys(is);
  if (names.length === 0) return Object.keys(was).length === 0 ? [] : [place];
  return names.flatMap((name) => {
    const before = own(was, name);
    const at = [...path, escapeArgumentName(name)];
    return before === undefined ? [at.join(".")] : moreNamed(before, own(is, name)!, at);
  });
}
