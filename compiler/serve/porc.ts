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
  const [principal, operation, resource, context] = ["principal", "operation", "resource", "context"].map((key) =>
    own(given, key),
  );
  if (!isObject(principal ?? null) || typeof operation !== "string" || typeof resource !== "string") return undefined;
  const mcp = isObject(context ?? null) ? own(context as JsonObject, "mcp") : undefined;
  const args = isObject(mcp ?? null) ? own(mcp as JsonObject, "args") : undefined;
  return { roles: rolesOf(principal as JsonObject), operation, resource, args };
}

/** Gateways call the claim by either name. */
function rolesOf(principal: JsonObject): readonly string[] {
  const named = ["roles", "mroles"].flatMap((key) => own(principal, key) ?? []);
  return [...new Set(named.filter((one): one is string => typeof one === "string"))];
}

export const CALL = "mcp:tool:call";

/** What a tool is called in such a question. It is looked up and never taken apart. */
export function toolResource(server: string, tool: string): string {
  return `mrn:mcp:${server}:tool:${tool}`;
}
