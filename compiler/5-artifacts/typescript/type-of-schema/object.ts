import { isObject, own, type JsonObject, type JsonValue } from "../../../base/json.ts";
import { byName } from "../../../base/order.ts";
import { doc, indentation, nothing, type Code } from "../writer.ts";
import { everyKind, objectKind } from "./kinds.ts";
import type { Reading, Spot } from "./reading.ts";
import { neverType, objectOf, undefinedType, union, unknownType, wide, type Member, type Type } from "./type.ts";

/** Longer types aren't said again in the index signature: nested, the text would double at each level. */
const longestInIndex = 60;
const longestDefault = 100;

/** The objects that a schema allows. */
export function objectType(schema: JsonObject, spot: Spot, reading: Reading): Type {
  const inside: Spot = {
    kinds: everyKind,
    level: spot.level + 1,
    depth: spot.depth + 1,
    resource: spot.resource,
    open: undefined,
  };
  const properties = mapOf(schema, "properties");
  const required = requiredOf(schema);
  const other = otherKeys(schema, inside, reading);
  const names = other === neverType ? undefined : onlyNames(schema, reading);
  const undeclared = other === undefined || other === neverType ? unknownType : other;
  const members = allNames(properties, required, names).map((key): Member => {
    const property = properties && own(properties, key);
    const type = property !== undefined ? reading.typeAt(property, inside) : undeclared;
    return { doc: docOf(property, inside.level), key, type, optional: !required.has(key) };
  });
  const indexed = other !== undefined && other !== neverType && names === undefined;
  if (members.length === 0)
    return other === undefined || other === unknownType ? wide(objectKind) : objectOf([], other, spot.level);
  return objectOf(members, indexed ? widened(other, members) : undefined, spot.level);
}

/**
 * The type of the keys that the schema doesn't name; undefined where it is silent. A silent schema allows them,
 * and so does a TypeScript object type: only a literal written on the spot is held to the named ones. That
 * catches misspelt arguments and refuses no value, so silence adds no index signature.
 */
function otherKeys(schema: JsonObject, inside: Spot, reading: Reading): Type | undefined {
  const additional = own(schema, "additionalProperties");
  const patterns = mapOf(schema, "patternProperties");
  const types =
    patterns === undefined ? [] : sortedKeys(patterns).map((pattern) => reading.typeAt(patterns[pattern]!, inside));
  if (additional === undefined && types.length === 0) return undefined;
  return union([...types, additional === undefined ? unknownType : reading.typeAt(additional, inside)]);
}

/** `propertyNames` with a list: then every key is known, and an index signature would say less. */
function onlyNames(schema: JsonObject, reading: Reading): string[] | undefined {
  const names = reading.dialect.const ? own(schema, "propertyNames") : undefined;
  const list = isObject(names) ? own(names, "enum") : undefined;
  return Array.isArray(list) && list.length > 0 && list.every((key) => typeof key === "string")
    ? (list as string[])
    : undefined;
}

function requiredOf(schema: JsonObject): ReadonlySet<string> {
  const list = own(schema, "required");
  return new Set(Array.isArray(list) ? list.filter((key) => typeof key === "string") : []);
}

function allNames(
  properties: JsonObject | undefined,
  required: ReadonlySet<string>,
  more: readonly string[] | undefined,
): string[] {
  const keys = properties === undefined ? [] : Object.keys(properties);
  for (const key of required) if (properties === undefined || !Object.hasOwn(properties, key)) keys.push(key);
  return more === undefined ? keys.sort(byName) : [...new Set([...keys, ...more])].sort(byName);
}

/** TypeScript wants the named properties to fit the index signature too. */
function widened(index: Type, members: readonly Member[]): Type {
  if (index === unknownType) return index;
  if (members.some((member) => member.type.code.text.length > longestInIndex)) return unknownType;
  const types = members.map((member) => member.type);
  return union(members.some((member) => member.optional) ? [index, ...types, undefinedType] : [index, ...types]);
}

function docOf(property: JsonValue | undefined, level: number): Code {
  if (!isObject(property)) return nothing;
  const said = own(property, "description");
  const standard = own(property, "default");
  const deprecated = own(property, "deprecated") === true;
  if (said === undefined && standard === undefined && !deprecated) return nothing;
  const tags = standard === undefined && !deprecated ? undefined : { default: shown(standard), deprecated };
  return doc(typeof said === "string" ? said : undefined, indentation(level), tags);
}

/** Short defaults only, and no objects: the order of their keys is the sender's whim. */
function shown(value: JsonValue | undefined): string | undefined {
  if (
    value === undefined ||
    isObject(value) ||
    (Array.isArray(value) && value.some((one) => typeof one === "object" && one !== null))
  )
    return undefined;
  const text = JSON.stringify(value);
  return text.length > longestDefault ? undefined : text;
}

function mapOf(schema: JsonObject, keyword: string): JsonObject | undefined {
  const map = own(schema, keyword);
  return isObject(map) ? map : undefined;
}

function sortedKeys(map: JsonObject): string[] {
  return Object.keys(map).sort(byName);
}
