import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { nearest } from "../../base/nearest.ts";
import { exactly } from "./exact.ts";
import { shownAs } from "./shown-names.ts";

/** What is to stand for a selector: under a server, or as `server.tool` in a rule, where `server` is undefined. */
export type RenameTool = (written: string, server: string | undefined) => string;

/** Tools under other names, wherever one is named exactly. */
export function renaming(renamed: ReadonlyMap<string, string>): RenameTool {
  const names = new Map(
    [...renamed].flatMap(([old, now]) => [exactly(old), shownAs(old)].map((one) => [one, exactly(now)] as const)),
  );
  return (written, server) => {
    const dot = server === undefined ? written.indexOf(".") + 1 : 0;
    return written.slice(0, dot) + (names.get(written.slice(dot)) ?? written.slice(dot));
  };
}

/** Of these names those that no selector of the blocks has, each with one that may be meant. */
export function renamesNothing(
  blocks: JsonObject,
  names: Iterable<string>,
): readonly { readonly name: string; readonly near: string | undefined }[] {
  const known = new Set<string>();
  renameTools(blocks, (written, server) => {
    known.add(server === undefined ? written.slice(written.indexOf(".") + 1) : written);
    return written;
  });
  return [...names].flatMap((name) => {
    const isKnown = known.has(exactly(name)) || known.has(shownAs(name));
    return isKnown ? [] : [{ name, near: nearest(name, known) }];
  });
}

/** With every selector of the blocks renamed: an item of a list under a server, or `server.tool` in a rule. */
export function renameTools(blocks: JsonObject, rename: RenameTool): JsonObject {
  const inside = (value: JsonValue, server: string | undefined): JsonValue => {
    if (Array.isArray(value))
      return value.map((item) => (typeof item === "string" ? rename(item, server) : inside(item, server)));
    if (!isObject(value)) return value;
    return mapped(value, (held) => inside(held, server));
  };
  const toolsOf = (block: JsonValue, list: (key: string, value: JsonValue) => JsonValue): JsonValue =>
    isObject(block)
      ? mapped(block, (value, key) => (["tools", "scopes", "labels"].includes(key) ? list(key, value) : value))
      : block;
  const ofRole = (_: string, tools: JsonValue): JsonValue =>
    isObject(tools) ? mapped(tools, (entry, server) => inside(entry, server)) : tools;
  return mapped(blocks, (held, section) => {
    if (Array.isArray(held)) return held.map((rule) => toolsOf(rule, (_, value) => inside(value, undefined)));
    return mapped(held as JsonObject, (block, name) =>
      toolsOf(block, section === "roles" ? ofRole : (_, value) => inside(value, name)),
    );
  });
}

function mapped(map: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}
