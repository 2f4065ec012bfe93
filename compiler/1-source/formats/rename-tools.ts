import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { exactly } from "./exact.ts";

/** Tools under other names, wherever one is named exactly: `old` as an item of a list under a server, or `server.old` in a rule. */
export function renameTools(blocks: JsonObject, renamed: ReadonlyMap<string, string>): JsonObject {
  const names = new Map([...renamed].map(([old, now]) => [exactly(old), exactly(now)]));
  const rename = (value: JsonValue, inRule: boolean): JsonValue => {
    if (Array.isArray(value))
      return value.map((item) => (typeof item === "string" ? named(item, inRule) : rename(item, inRule)));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, rename(held, inRule)]));
  };
  const named = (written: string, inRule: boolean): string => {
    const dot = inRule ? written.indexOf(".") + 1 : 0;
    return written.slice(0, dot) + (names.get(written.slice(dot)) ?? written.slice(dot));
  };
  const toolsOf = (block: JsonValue, inRule: boolean): JsonValue => {
    if (!isObject(block)) return block;
    const lists = ["tools", "scopes", "labels"].filter((key) => block[key] !== undefined);
    return { ...block, ...Object.fromEntries(lists.map((key) => [key, rename(block[key]!, inRule)])) };
  };
  if (names.size === 0) return blocks;
  return Object.fromEntries(
    Object.entries(blocks).map(([section, held]) => [
      section,
      Array.isArray(held)
        ? held.map((rule) => toolsOf(rule, true))
        : Object.fromEntries(Object.entries(held as JsonObject).map(([name, block]) => [name, toolsOf(block, false)])),
    ]),
  );
}
