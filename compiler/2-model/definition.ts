import type { JsonObject } from "../base/json.ts";
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
