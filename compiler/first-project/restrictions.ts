import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { stableText } from "../base/stable-text.ts";

/** What a server's block takes away for every role. */
export function restrictionsOf({ enabled, tools, scopes }: JsonObject): JsonObject {
  return {
    ...(enabled === false && { enabled }),
    ...(tools !== undefined && { tools }),
    ...(scopes !== undefined && { scopes }),
  };
}

/** The block, held to these as well. */
export function withBoth(block: JsonObject, { enabled, tools, scopes }: JsonObject): JsonObject {
  const within = bothScopes(block["scopes"], scopes);
  const left = within?.length === 0 ? "none" : tools;
  return {
    ...block,
    ...(enabled !== undefined && { enabled }),
    ...(left !== undefined && { tools: bothTools(block["tools"], left) }),
    ...(within !== undefined && within.length > 0 && { scopes: within }),
  };
}

/** Empty: no scope is in both. */
function bothScopes(one: JsonValue | undefined, other: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (!Array.isArray(other)) return undefined;
  return Array.isArray(one) ? both(one, other) : other;
}

function bothTools(one: JsonValue | undefined, other: JsonValue): JsonValue {
  if (one === undefined) return other;
  if (!isObject(one) || !isObject(other)) return "none";
  const lists = [one["include"], other["include"]].filter(Array.isArray) as JsonValue[][];
  const [first, second] = lists;
  const include = second === undefined ? first : both(first!, second);
  if (include?.length === 0) return "none";
  const excludes = [one["exclude"], other["exclude"]].filter(Array.isArray).flat() as JsonValue[];
  const exclude = [...new Map(excludes.map((item) => [stableText(item), item])).values()];
  return { ...(include !== undefined && { include }), ...(exclude.length > 0 && { exclude }) };
}

function both(one: readonly JsonValue[], other: readonly JsonValue[]): JsonValue[] {
  const texts = new Set(other.map((item) => stableText(item)));
  return one.filter((item) => texts.has(stableText(item)));
}
