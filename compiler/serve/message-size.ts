import { isObject, valuesLeft, type JsonValue } from "../base/json.ts";

/**
 * What a call is made with is passed on as it is. All else of a message is held against the protocol by its library, which takes
 * up to 20 us for each value that doesn't fit, in the thread that answers all clients.
 */
const MOST_BESIDE_ARGUMENTS = 5_000;

/** `length`: of its text; no shorter one has so many values. */
export function holdsTooMuch(message: object, length: number): boolean {
  return length > MOST_BESIDE_ARGUMENTS * 2 && valuesLeft(withoutArguments(message), MOST_BESIDE_ARGUMENTS) < 0;
}

function withoutArguments(message: object): JsonValue {
  const { method, params } = message as { readonly method?: JsonValue; readonly params?: JsonValue };
  if (method !== "tools/call" || !isObject(params) || !isObject(params["arguments"])) return message as JsonValue;
  return { ...message, params: { ...params, arguments: null } };
}
