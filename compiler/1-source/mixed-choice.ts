import { isObject, own, type JsonObject } from "../base/json.ts";
import type { Choice } from "./types.ts";

const READS = /^(get|list|read|search|view|describe|fetch|query|show|find|status|count|info|check)/i;
const WRITES =
  /^(create|update|delete|write|add|remove|set|edit|move|merge|close|insert|drop|rename|put|patch|upsert|send|cancel|archive)/i;

/** The first argument whose enumeration names both reading and writing: a tool that its name doesn't tell apart. */
export function findChoice(inputSchema: JsonObject): Choice | undefined {
  const properties = own(inputSchema, "properties");
  if (!isObject(properties)) return undefined;
  for (const argument of Object.keys(properties)) {
    const property = properties[argument];
    const values = isObject(property) ? own(property, "enum") : undefined;
    if (!Array.isArray(values)) continue;
    const texts = values.filter((value): value is string => typeof value === "string");
    const reads = texts.find((text) => READS.test(text));
    const writes = texts.find((text) => WRITES.test(text));
    if (reads !== undefined && writes !== undefined) return { argument, reads, writes };
  }
  return undefined;
}
