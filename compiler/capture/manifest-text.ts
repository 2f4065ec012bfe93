import { toolDigest } from "../1-source/examine-manifest.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { byName, sorted } from "../base/order.ts";
import type { ServerAnswer } from "../live-server/types.ts";

/**
 * The exact text of `manifests/<pin>.json`: tools sorted by name, fields as the server sent them, keys in the order of
 * RFC 8785, one space of indent. The answer must have passed `unsoundJson`.
 */
export function manifestText(pin: string, answer: ServerAnswer, variables: readonly string[]): string {
  const { initialize } = answer;
  const manifest: Record<string, JsonValue> = {
    format: 1,
    server: pin,
    capabilities: objectOr(own(initialize, "capabilities"), {}),
    variables: sorted(variables),
    tools: sortedTools(answer.tools).map(withDigest),
  };
  for (const key of ["protocolVersion", "serverInfo", "instructions"]) {
    const value = own(initialize, key);
    if (value !== undefined) manifest[key] = value;
  }
  return `${canonicalLines(manifest, "")}\n`;
}

function objectOr(value: JsonValue | undefined, otherwise: JsonObject): JsonObject {
  return isObject(value) ? value : otherwise;
}

function sortedTools(tools: readonly JsonValue[]): JsonValue[] {
  return [...tools].sort((a, b) => byName(nameOf(a), nameOf(b)));
}

/** Something without a name is refused by whoever examines the text. */
function nameOf(tool: JsonValue): string {
  const name = isObject(tool) ? own(tool, "name") : undefined;
  return typeof name === "string" ? name : "";
}

function withDigest(tool: JsonValue): JsonValue {
  return isObject(tool) ? { ...tool, digest: toolDigest(tool) } : tool;
}

/** Text and not a sorted copy: an object would bring keys that are numbers to its front. */
function canonicalLines(value: JsonValue, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const deeper = `${indent} `;
  const items = isObject(value)
    ? sorted(Object.keys(value)).map((key) => `${JSON.stringify(key)}: ${canonicalLines(value[key]!, deeper)}`)
    : (value as readonly JsonValue[]).map((item) => canonicalLines(item, deeper));
  const [open, close] = isObject(value) ? "{}" : "[]";
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => deeper + item).join(",\n")}\n${indent}${close}`;
}
