import { toolDigest } from "../1-source/examine-manifest.ts";
import { isObject, own, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";

/** Names of tools that a server defined differently when it was asked a second time: their pins won't hold. Sorted. */
export function unsteadyTools(first: readonly JsonValue[], second: readonly JsonValue[]): string[] {
  const one = digestsOf(first);
  const other = digestsOf(second);
  return sorted(new Set([...one.keys(), ...other.keys()])).filter((name) => one.get(name) !== other.get(name));
}

function digestsOf(tools: readonly JsonValue[]): Map<string, string> {
  const pairs = tools.filter(isObject).flatMap((tool) => {
    const name = own(tool, "name");
    return typeof name === "string" ? [[name, toolDigest(tool)] as const] : [];
  });
  return new Map(pairs);
}
