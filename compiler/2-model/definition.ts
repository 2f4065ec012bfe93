import { canonicalText } from "../base/canonical.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import type { Tool, ToolTexts } from "./types.ts";

/** A tool's texts, and the values made of them. */
export function definedBy(texts: () => ToolTexts): Pick<Tool, "texts" | "definition"> {
  return {
    texts,
    definition: () => {
      const { title, description, inputSchema, outputSchema } = texts();
      return {
        title,
        description,
        inputSchema: JSON.parse(inputSchema) as JsonObject,
        outputSchema: outputSchema === undefined ? undefined : (JSON.parse(outputSchema) as JsonObject),
      };
    },
  };
}

/** The same text for the same schema, in whatever order its keys came. A broken character in it makes nothing fail. */
export function stableText(schema: JsonObject): string {
  try {
    return canonicalText(schema);
  } catch {
    return JSON.stringify(inOrder(schema));
  }
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(sorted(Object.keys(value)).map((key) => [key, inOrder(value[key]!)]));
}
