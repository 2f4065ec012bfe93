import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { conditionSentence } from "../3-plan/condition-words.ts";
import type { Decision, Tool } from "../3-plan/types.ts";
import { toldConditions } from "./told-conditions.ts";

/** A tool as a client is told of it: its pin, with what was reviewed in the server's place, and with the role's conditions. */
export function toldTool(tool: Tool, decision: Decision): JsonObject {
  const { title, description, inputSchema, outputSchema } = tool.definition();
  const { readOnly, destructive, idempotent, openWorld } = tool.hints;
  const input = toldConditions({ ...withoutHeaders(inputSchema), type: "object" }, decision.where);
  return {
    ...(title !== undefined && { title }),
    description: describe(description, decision),
    inputSchema: input,
    // What the project promises of a result, and not the server, is no promise of the protocol's.
    ...(outputSchema !== undefined && tool.resultFrom !== "project" && { outputSchema: withoutHeaders(outputSchema) }),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  };
}

/** What was told of a tool as its hints. */
export function hintsTold(told: JsonObject | undefined): Tool["hints"] {
  const annotations = (told?.["annotations"] ?? {}) as JsonObject;
  const said = (hint: string): boolean => annotations[`${hint}Hint`] === true;
  return {
    readOnly: said("readOnly"),
    destructive: said("destructive"),
    idempotent: said("idempotent"),
    openWorld: said("openWorld"),
  };
}

export const ASKED_FIRST =
  "A person is asked before each call, which takes a while: told that it goes on waiting, make the same call again, unchanged.";

function describe(description: string | undefined, { where, effect }: Decision): string {
  const ours = [
    ...(where.length === 0 ? [] : [`May be called only when ${conditionSentence(where, quoted)}.`]),
    ...(effect === "ask" ? [ASKED_FIRST] : []),
  ].join(" ");
  return [description ?? "", ours].filter((text) => text !== "").join("\n\n");
}

function quoted(text: string): string {
  return `\`${text}\``;
}

/** `x-mcp-header` would have the client send an argument as a header of its own connection. */
function withoutHeaders(schema: JsonObject): JsonObject {
  return withoutKey(schema, "schema") as JsonObject;
}

type Holds = "schema" | "named" | "data";

function withoutKey(value: JsonValue, holds: Holds): JsonValue {
  if (holds === "data") return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((one) => withoutKey(one, holds));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => holds === "named" || key !== "x-mcp-header");
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutKey(inner, innerOf(key, holds))]));
}

function innerOf(key: string, holds: Holds): Holds {
  if (holds === "named") return "schema";
  if (NAMED.has(key)) return "named";
  return DATA.has(key) ? "data" : "schema";
}

const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const DATA = new Set(["const", "enum", "default", "examples"]);
