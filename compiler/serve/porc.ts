import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/** A question of a gateway that holds no rules itself: who wants to do what with which arguments. */
export interface DecisionAsked {
  /** As the token names them, whatever they are. */
  readonly roles: readonly string[];
  readonly operation: string;
  readonly resource: string;
  /** Undefined: none were sent, which is so where there are none, and where the gateway keeps them to itself. */
  readonly args: JsonValue | undefined;
}

/** Undefined: it is no such question. */
export function readPorc(given: unknown): DecisionAsked | undefined {
  if (!isObject(given)) return undefined;
  const [principal, operation, resource] = ["principal", "operation", "resource"].map((key) => own(given, key));
  if (!isObject(principal ?? null) || typeof operation !== "string" || typeof resource !== "string") return undefined;
  const roles = rolesOf(principal as JsonObject);
  const mcp = partOf(given, "context", (part) => partOf(part, "mcp", (one) => one));
  if (roles === undefined || mcp === undefined) return undefined;
  return { roles, operation, resource, args: own(mcp, "args") };
}

/** An empty one where it was left out; undefined where something else stands in its place. */
function partOf(
  whole: JsonObject,
  key: string,
  then: (part: JsonObject) => JsonObject | undefined,
): JsonObject | undefined {
  const part = own(whole, key) ?? {};
  return isObject(part) ? then(part) : undefined;
}

/** Gateways call the claim by either name. What is no text among them may be a role to somebody else: nothing is read of it. */
function rolesOf(principal: JsonObject): readonly string[] | undefined {
  const named = ["roles", "mroles"].flatMap((key) => own(principal, key) ?? []);
  return named.every((one): one is string => typeof one === "string") ? [...new Set(named)] : undefined;
}

export const CALL = "mcp:tool:call";

/** What a tool is called in such a question. It is looked up and never taken apart. */
export function toolResource(server: string, tool: string): string {
  return `mrn:mcp:${server}:tool:${tool}`;
}
