import { isObject, own, type JsonValue } from "../../../base/json.ts";

/** The six kinds of JSON value, as a set of bits. */
export type Kinds = number;

export const nullKind: Kinds = 1;
export const booleanKind: Kinds = 2;
export const numberKind: Kinds = 4;
export const stringKind: Kinds = 8;
export const arrayKind: Kinds = 16;
export const objectKind: Kinds = 32;
export const everyKind: Kinds = 63;
export const scalarKinds: Kinds = nullKind | booleanKind | numberKind | stringKind;

/** What `type` and OpenAPI's `nullable` allow. */
export function kindsOf(schema: JsonValue): Kinds {
  if (!isObject(schema)) return everyKind;
  const kinds = kindsNamed(own(schema, "type"));
  return own(schema, "nullable") === true ? kinds | nullKind : kinds;
}

export function kindOf(value: JsonValue): Kinds {
  if (value === null) return nullKind;
  if (typeof value === "boolean") return booleanKind;
  if (typeof value === "number") return numberKind;
  if (typeof value === "string") return stringKind;
  return Array.isArray(value) ? arrayKind : objectKind;
}

/** A type that no draft knows says nothing: the schema is broken, and wider is safe. */
function kindsNamed(type: JsonValue | undefined): Kinds {
  if (typeof type === "string") return kindNamed(type);
  if (!Array.isArray(type) || type.length === 0) return everyKind;
  let kinds = 0;
  for (const one of type) kinds |= typeof one === "string" ? kindNamed(one) : everyKind;
  return kinds;
}

function kindNamed(type: string): Kinds {
  switch (type) {
    case "null":
      return nullKind;
    case "boolean":
      return booleanKind;
    case "number":
    case "integer":
      return numberKind;
    case "string":
      return stringKind;
    case "array":
      return arrayKind;
    case "object":
      return objectKind;
    default:
      return everyKind;
  }
}
