import { own, type JsonObject, type JsonValue } from "../../../base/json.ts";
import { arrayKind, everyKind } from "./kinds.ts";
import type { Reading, Spot } from "./reading.ts";
import { arrayOf, neverType, tupleOf, unknownType, wide, type Type } from "./type.ts";

/**
 * The arrays that a schema allows. `minItems` counts for tuples only: like `minLength` of a text, the length of a
 * list is known at run time, and a list that the caller has put together could never be passed as `[T, ...T[]]`.
 */
export function arrayType(schema: JsonObject, spot: Spot, reading: Reading): Type {
  const inside: Spot = {
    kinds: everyKind,
    level: spot.level,
    depth: spot.depth + 1,
    resource: spot.resource,
    open: undefined,
  };
  const { first, rest } = partsOf(schema, reading);
  const restType = rest === undefined ? unknownType : reading.typeAt(rest, inside);
  if (first === undefined || first.length === 0) return restType === unknownType ? wide(arrayKind) : arrayOf(restType);
  const most = numberOf(schema, "maxItems") ?? Infinity;
  const items = first.slice(0, most).map((item) => reading.typeAt(item, inside));
  if (items.length === 0) return tupleOf([], 0, undefined);
  const open = restType !== neverType && most > items.length;
  return tupleOf(items, numberOf(schema, "minItems") ?? 0, open ? restType : undefined);
}

/** The two spellings of a tuple: `items` as a list with `additionalItems`, and `prefixItems` with `items`. */
function partsOf(
  schema: JsonObject,
  reading: Reading,
): { first: readonly JsonValue[] | undefined; rest: JsonValue | undefined } {
  const items = own(schema, "items");
  const prefix = reading.dialect.prefixItems ? own(schema, "prefixItems") : undefined;
  if (Array.isArray(prefix)) return { first: prefix, rest: Array.isArray(items) ? undefined : items };
  if (Array.isArray(items)) return { first: items, rest: own(schema, "additionalItems") };
  return { first: undefined, rest: items };
}

function numberOf(schema: JsonObject, keyword: string): number | undefined {
  const value = own(schema, keyword);
  return typeof value === "number" && value >= 0 ? value : undefined;
}
