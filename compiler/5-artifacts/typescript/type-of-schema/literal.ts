import { isObject, type JsonObject, type JsonValue } from "../../../base/json.ts";
import { byName } from "../../../base/order.ts";
import { code, join, key } from "../writer.ts";
import { kindOf, type Kinds } from "./kinds.ts";
import { literalType, neverType, objectOf, tupleOf, unionInLines, unknownType, type Type } from "./type.ts";

const deepest = 20;

/** The type whose values are these, leaving out those of other kinds. */
export function literalsType(values: readonly JsonValue[], kinds: Kinds, level: number): Type {
  const members = new Map<string, Type>();
  for (const value of values) {
    if (!(kinds & kindOf(value))) continue;
    const type = valueType(value, 0);
    if (type === unknownType) return type;
    members.set(type.code.text, type);
  }
  return members.size === 0 ? neverType : unionInLines([...members.values()], level);
}

function valueType(value: JsonValue, depth: number): Type {
  if (depth > deepest) return unknownType;
  if (isObject(value)) return objectLiteral(value, depth);
  if (Array.isArray(value)) {
    const items = value.map((item) => valueType(item, depth + 1));
    return tupleOf(items, items.length, undefined);
  }
  return literalType(value as string | number | boolean | null);
}

function objectLiteral(value: JsonObject, depth: number): Type {
  const keys = Object.keys(value).sort(byName);
  if (keys.length === 0) return objectOf([], neverType, 0);
  const members = keys.map((name) => code`${key(name)}: ${valueType(value[name]!, depth + 1).code}`);
  return { code: code`{ ${join(members, code`; `)} }`, form: "object", width: 1, takesEmpty: false };
}
