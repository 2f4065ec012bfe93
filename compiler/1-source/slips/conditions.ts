import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";

/** What a condition is that stands there as a plain value: a glob is one only where its text has something of one. */
export function conditionMeant(found: JsonValue): JsonObject | undefined {
  if (Array.isArray(found)) {
    const values = found as readonly JsonValue[];
    return values.length > 0 && !values.some(isPattern) ? { enum: values } : undefined;
  }
  if (typeof found !== "string") return found === null || isObject(found) ? undefined : { enum: [found] };
  if (/^\^|\$$|\.[*+]|\\[.dws]/.test(found)) return { pattern: found };
  const glob = found.replace(/^(?:\.\/)+/, "").replace(/^(?!\*\*$)(.*[^/])\/$/, "$1/**");
  return isPattern(glob) ? { glob } : { enum: [found] };
}

function isPattern(value: JsonValue): boolean {
  return typeof value === "string" && /[*?^$]|\/$/.test(value);
}

const KINDS = ["glob", "enum", "pattern", "schema", "optional"];

/** Arguments with their conditions, and no tool above them. */
export function isConditions(found: JsonValue | undefined): found is JsonObject {
  if (!isObject(found)) return false;
  const conditions = Object.values(found);
  return conditions.length > 0 && conditions.every(isCondition);
}

function isCondition(value: JsonValue): boolean {
  return isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => KINDS.includes(key));
}

/** A `where` of an entry that lacks the tools: they are what the entry includes. */
export function whereWithTools(where: JsonValue | undefined, include: JsonValue | undefined): JsonObject | undefined {
  if (!isConditions(where) || !Array.isArray(include)) return undefined;
  const tools = (include as readonly JsonValue[]).filter((tool) => typeof tool === "string");
  return tools.length === 0 ? undefined : Object.fromEntries(tools.map((tool) => [tool, where]));
}

/** A `where` of a policy that names tools: there its `tools` do. */
export function whereWithoutTools(where: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(where)) return undefined;
  const inner = Object.values(where);
  const [first] = inner;
  return inner.length > 0 && inner.every(isConditions) && inner.every((one) => sameJson(one, first))
    ? (first as JsonObject)
    : undefined;
}

function sameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
