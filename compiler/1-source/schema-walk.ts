import type * as z from "zod/mini";
import { isObject, type JsonValue } from "../base/json.ts";

type Schema = z.core.$ZodType;

/** The keys that a map at this path may have; empty where any key may stand. */
export function acceptedKeys(root: Schema, path: readonly (string | number)[], value: JsonValue | undefined): string[] {
  return objectShapes(schemaAt(root, path), value)
    .flatMap((shape) => Object.keys(shape))
    .filter((key, i, all) => all.indexOf(key) === i);
}

export function schemaAt(root: Schema, path: readonly (string | number)[]): Schema | undefined {
  let at: Schema[] = [root];
  for (const step of path) at = at.flatMap((schema) => inside(schema, step));
  return at.length > 1
    ? (at.find((schema) => schema._zod.def.type === "union") ?? at.find(isObjectSchema) ?? at[0])
    : at[0];
}

function inside(schema: Schema, step: string | number): Schema[] {
  const def = schema._zod.def;
  if (def.type === "optional") return inside((def as z.core.$ZodOptionalDef).innerType, step);
  if (def.type === "union") return (def as z.core.$ZodUnionDef).options.flatMap((option) => inside(option, step));
  if (def.type === "array" && typeof step === "number") return unwrap((def as z.core.$ZodArrayDef).element);
  if (def.type === "record") return unwrap((def as z.core.$ZodRecordDef).valueType);
  if (def.type === "object") {
    const shape = (def as z.core.$ZodObjectDef).shape;
    return Object.hasOwn(shape, step) ? unwrap(shape[step]!) : [];
  }
  return [];
}

function unwrap(schema: Schema): Schema[] {
  const def = schema._zod.def;
  return def.type === "optional" ? unwrap((def as z.core.$ZodOptionalDef).innerType) : [schema];
}

function isObjectSchema(schema: Schema): boolean {
  return schema._zod.def.type === "object";
}

/** Of several object forms, those that share a key with what is written; all of them when none does. */
function objectShapes(schema: Schema | undefined, value: JsonValue | undefined): Readonly<Record<string, Schema>>[] {
  if (!schema) return [];
  const def = schema._zod.def;
  if (def.type === "object") return [(def as z.core.$ZodObjectDef).shape];
  if (def.type !== "union") return [];
  const shapes = (def as z.core.$ZodUnionDef).options.flatMap((option) => objectShapes(option, value));
  const isWritten = (key: string): boolean => isObject(value) && Object.hasOwn(value, key);
  const sharing = shapes.filter((shape) => Object.keys(shape).some(isWritten));
  return sharing.length > 0 ? sharing : shapes;
}
