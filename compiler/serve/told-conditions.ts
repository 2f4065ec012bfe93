import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { parseArgumentPath } from "../../runtime/conditions.ts";
import type { ArgumentRule, Condition } from "../../runtime/contract.ts";

/**
 * A tool's input schema with what the role's conditions allow, as far as a schema says exactly that. It is told to be
 * kept to; what holds is judged at the call.
 */
export function toldConditions(schema: JsonObject, rules: readonly ArgumentRule[]): JsonObject {
  if (rules.length === 0) return schema;
  return withoutOthers(rules.reduce(withRule, schema));
}

function withRule(schema: JsonObject, { argument, conditions }: ArgumentRule): JsonObject {
  const steps = parseArgumentPath(argument);
  if (steps === undefined || steps.some(({ each }) => each)) return schema;
  const isOptional = conditions.every(({ optional }) => optional === true);
  return within(
    schema,
    steps.map(({ name }) => name),
    isOptional,
    (said) => conditions.reduce(withCondition, said),
  );
}

/** The schema of an argument, replaced where it stands. What isn't said in one place stays as it is. */
function within(
  schema: JsonObject,
  [name, ...rest]: readonly string[],
  isOptional: boolean,
  tell: (said: JsonObject) => JsonObject,
): JsonObject {
  const properties = own(schema, "properties");
  if (name === undefined || !isObject(properties)) return schema;
  const said = own(properties, name);
  if (!isObject(said)) return schema;
  const told = rest.length === 0 ? tell(said) : within(said, rest, isOptional, tell);
  const required = own(schema, "required");
  const needed = Array.isArray(required) ? (required as readonly JsonValue[]) : [];
  return {
    ...schema,
    properties: { ...properties, [name]: told },
    ...(!isOptional && !needed.includes(name) && { required: [...needed, name] }),
  };
}

function withCondition(said: JsonObject, condition: Condition): JsonObject {
  if (!isPlainText(said)) return said;
  const withEnum = condition.enum === undefined ? said : withValues(said, condition.enum);
  return condition.pattern === undefined || own(withEnum, "pattern") !== undefined
    ? withEnum
    : { ...withEnum, pattern: `^(?:${condition.pattern})$` };
}

/** Lists are judged element by element, and what is no text is never a path: only of one text a schema says the same. */
function isPlainText(said: JsonObject): boolean {
  return own(said, "type") === "string";
}

/** Each once, or it is no schema. */
function withValues(said: JsonObject, allowed: readonly JsonValue[]): JsonObject {
  const known = own(said, "enum");
  const isKnown = (one: JsonValue): boolean => !Array.isArray(known) || (known as readonly JsonValue[]).includes(one);
  const values = [...new Set(allowed)].filter((one) => typeof one === "string" && isKnown(one));
  return values.length === 0 ? said : { ...said, enum: values };
}

/** Where conditions are written, an argument that the schema doesn't name is refused. */
function withoutOthers(schema: JsonObject): JsonObject {
  const isWhole = isObject(own(schema, "properties")) && !LEADING_ON.some((keyword) => Object.hasOwn(schema, keyword));
  return isWhole ? { ...schema, additionalProperties: false } : schema;
}

/** Keywords by which more may be named elsewhere. */
const LEADING_ON: readonly string[] = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
  "patternProperties",
  "unevaluatedProperties",
  "additionalProperties",
];
