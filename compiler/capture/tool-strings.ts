import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";

/** Every text of a definition that a model may read, keys included, with where it stands. */
export function* stringsOf(tool: JsonObject): Generator<readonly [where: string, text: string]> {
  for (const [key, value] of Object.entries(tool)) {
    if (key !== "digest") yield* stringsIn(value, key);
  }
}

function* stringsIn(value: JsonValue, where: string): Generator<readonly [string, string]> {
  if (typeof value === "string") yield [where, value];
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      yield [where, key];
      yield* stringsIn(inner, where);
    }
  } else if (Array.isArray(value)) {
    for (const inner of value as readonly JsonValue[]) yield* stringsIn(inner, where);
  }
}
