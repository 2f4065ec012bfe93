import { isObject, type JsonValue } from "../base/json.ts";

/** A regular expression in a schema, and the keys that lead to it. */
export interface SchemaPattern {
  readonly source: string;
  readonly path: readonly (string | number)[];
}

/** Wherever one could stand: what looks like data (`default`, `enum`) may be a schema that a `$ref` leads to. */
export function* patternsIn(schema: JsonValue, path: SchemaPattern["path"] = []): Generator<SchemaPattern> {
  if (Array.isArray(schema)) {
    for (const [i, part] of (schema as readonly JsonValue[]).entries()) yield* patternsIn(part, [...path, i]);
  }
  if (!isObject(schema)) return;
  for (const [key, value] of Object.entries(schema)) {
    const at = [...path, key];
    if (key === "pattern" && typeof value === "string") yield { source: value, path: at };
    if (key === "patternProperties" && isObject(value)) {
      for (const source of Object.keys(value)) yield { source, path: [...at, source] };
    }
    yield* patternsIn(value, at);
  }
}
