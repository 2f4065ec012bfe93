import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/** Who sends a request, as its token says. */
export interface Principal {
  readonly roles: readonly string[];
  /** Whose requests are one client's: what he asks is joined by no other. */
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly expires: number | undefined;
}

/** The roles that a token names: a text, or a list of them, in a claim or in a claim within claims. */
export function rolesIn(claims: JsonObject, name: string): readonly string[] {
  const value = own(claims, name) ?? within(claims, name.split("."));
  if (typeof value === "string") return [value];
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).filter((one): one is string => typeof one === "string")
    : [];
}

/**
 * Whose requests these are; undefined: the token doesn't say. A client's own id stands for it only where no `sub` is there
 * at all, and is never somebody's `sub`: each kind begins with a word of its own.
 */
export function subjectIn(claims: JsonObject): string | undefined {
  const subject = own(claims, "sub");
  if (typeof subject === "string" && subject !== "") return `sub ${subject}`;
  if (Number.isSafeInteger(subject)) return `sub# ${String(subject)}`;
  if (subject !== undefined) return undefined;
  const client = own(claims, "client_id");
  return typeof client === "string" && client !== "" ? `client_id ${client}` : undefined;
}

function within(claims: JsonValue | undefined, steps: readonly string[]): JsonValue | undefined {
  return steps.reduce<JsonValue | undefined>(
    (at, step) => (isObject(at ?? null) ? own(at as JsonObject, step) : undefined),
    claims,
  );
}
