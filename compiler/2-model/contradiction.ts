import { canonicalText } from "../base/canonical.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/**
 * Whether what a schema says by itself, and what its parts under `allOf` say, leaves no value at all: types that exclude
 * each other, values of another type, bounds that cross. References aren't followed.
 */
export function contradictsItself(schema: JsonObject): boolean {
  const parts = [schema, ...togetherWith(schema)];
  const types = parts.flatMap((part) => typesOf(own(part, "type")) ?? []);
  const possible = TYPES.filter((type) => types.every((some) => takes(some, type)));
  const lists = parts.flatMap((part) => valuesOf(part) ?? []);
  const [first, ...others] = lists;
  if (first !== undefined) {
    const left = others.map((list) => new Set(list.map(canonicalText)));
    return !first.some(
      (value) => possible.includes(typeOf(value)) && left.every((set) => set.has(canonicalText(value))),
    );
  }
  return possible.every((type) => crosses(BOUNDS[type] ?? [], parts));
}

const TYPES = ["null", "boolean", "object", "array", "integer", "number", "string"];
const BOUNDS: Readonly<Record<string, readonly (readonly [least: string, most: string])[]>> = {
  number: [["minimum", "maximum"]],
  integer: [["minimum", "maximum"]],
  string: [["minLength", "maxLength"]],
  array: [["minItems", "maxItems"]],
  object: [["minProperties", "maxProperties"]],
};

function togetherWith(schema: JsonObject): JsonObject[] {
  const parts = own(schema, "allOf");
  return Array.isArray(parts) ? (parts as readonly JsonValue[]).filter(isObject) : [];
}

function typesOf(type: JsonValue | undefined): [readonly JsonValue[]] | undefined {
  if (typeof type === "string") return [[type]];
  return Array.isArray(type) ? [type as readonly JsonValue[]] : undefined;
}

function takes(types: readonly JsonValue[], type: string): boolean {
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

function valuesOf(schema: JsonObject): (readonly JsonValue[])[] | undefined {
  const list = own(schema, "enum");
  const found = Array.isArray(list) ? [list as readonly JsonValue[]] : [];
  return Object.hasOwn(schema, "const") ? [...found, [own(schema, "const")!]] : found;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function crosses(bounds: readonly (readonly [least: string, most: string])[], parts: readonly JsonObject[]): boolean {
  const all = (keyword: string): number[] =>
    parts.flatMap((part) => {
      const bound = own(part, keyword);
      return typeof bound === "number" ? [bound] : [];
    });
  return bounds.some(([least, most]) => Math.max(...all(least)) > Math.min(...all(most)));
}
