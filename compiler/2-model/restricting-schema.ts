import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/** Keywords that say something about a value by themselves. */
const ASSERTIONS = [
  ["type", "enum", "const", "pattern", "minLength", "maxLength", "format", "$ref", "$dynamicRef", "contains"],
  ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems"],
  ["required", "minProperties", "maxProperties", "dependentRequired"],
].flat();
const OF_SCHEMAS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const OF_ONE = [
  "not",
  "if",
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "propertyNames",
];
const OF_NAMED = ["properties", "patternProperties", "dependentSchemas"];

/** Whether the schema says anything at all that a value could fail. `true`, `{}` and mere descriptions don't. */
export function restricts(schema: JsonValue): boolean {
  if (typeof schema === "boolean") return !schema;
  if (!isObject(schema)) return false;
  return (
    ASSERTIONS.some((keyword) => Object.hasOwn(schema, keyword)) ||
    OF_SCHEMAS.some((keyword) => listOf(schema, keyword).some(restricts)) ||
    OF_ONE.some((keyword) => Object.hasOwn(schema, keyword) && restricts(own(schema, keyword)!)) ||
    OF_NAMED.some((keyword) => valuesOf(schema, keyword).some(restricts))
  );
}

function listOf(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const value = own(schema, keyword);
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function valuesOf(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const value = own(schema, keyword);
  return isObject(value) ? Object.values(value) : [];
}
