import type { JsonObject } from "../../../base/json.ts";

/** What a schema speaks of, as a set of bits: found in one walk over its keys, since most schemas have three. */
export type Says = number;

export const ofObjects: Says = 1;
export const ofArrays: Says = 2;
export const ofValues: Says = 4;
/** Of other schemas about the same value. */
export const ofSchemas: Says = 8;
export const ofReference: Says = 16;
export const ofNull: Says = 32;

export function says(schema: JsonObject): Says {
  let all: Says = 0;
  for (const keyword in schema) all |= about(keyword);
  return all;
}

function about(keyword: string): Says {
  switch (keyword) {
    case "properties":
    case "required":
    case "additionalProperties":
    case "patternProperties":
    case "propertyNames":
      return ofObjects;
    case "items":
    case "prefixItems":
    case "additionalItems":
      return ofArrays;
    case "const":
    case "enum":
      return ofValues;
    case "allOf":
    case "anyOf":
    case "oneOf":
    case "if":
      return ofSchemas;
    case "$ref":
      return ofSchemas | ofReference;
    case "nullable":
      return ofNull;
    default:
      return 0;
  }
}
