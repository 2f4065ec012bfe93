import { isObject, own, type JsonObject } from "../base/json.ts";
import { READS, wordsOf, WRITES } from "../base/verbs.ts";
import type { Choice } from "./types.ts";

/** Arguments that say how an answer is sorted, or what somebody else may do: not what the call does. */
const OF_SOMETHING_ELSE = new Set(
  "order sort sorting direction role roles permission permissions access privilege privileges".split(" "),
);

/**
 * The first argument whose enumeration names both reading and writing: a tool that its name doesn't tell apart. Where the
 * name begins with a word for writing, such an argument is data: the HTTP method of a request that is saved.
 */
export function findChoice(tool: string, inputSchema: JsonObject): Choice | undefined {
  const properties = own(inputSchema, "properties");
  if (!isObject(properties) || beginsWith(WRITES, tool)) return undefined;
  for (const argument of Object.keys(properties)) {
    const property = properties[argument];
    const values = isObject(property) ? own(property, "enum") : undefined;
    if (!Array.isArray(values) || wordsOf(argument).some((word) => OF_SOMETHING_ELSE.has(word))) continue;
    const texts = values.filter((value): value is string => typeof value === "string");
    const reads = texts.find((text) => beginsWith(READS, text));
    const writes = texts.find((text) => beginsWith(WRITES, text));
    if (reads !== undefined && writes !== undefined) return { argument, reads, writes };
  }
  return undefined;
}

function beginsWith(words: ReadonlySet<string>, text: string): boolean {
  return words.has(wordsOf(text)[0] ?? "");
}
