import * as jsonc from "jsonc-parser";
import * as yaml from "yaml";
import { type Change, withKeys } from "../../compiler/4-artifacts/managed-keys.ts";
import type { KeyLibraries, OwnedKeys } from "../../compiler/4-artifacts/managed-keys/types.ts";
import type { ManagedKey, ManagedKeys } from "../../compiler/4-artifacts/types.ts";
import type { JsonValue } from "../../compiler/base/json.ts";

export const libraries: KeyLibraries = { jsonc: () => jsonc, yaml: () => yaml };
export const nothing: OwnedKeys = { keys: new Map(), before: new Map() };

/** `a/b`: the key `b` in `a`. */
export const key = (at: string, value: JsonValue): ManagedKey => ({ at: at.split("/"), value });
/** The text below front matter. */
export const body = (text: string): ManagedKey => ({ at: [], value: text });
export const inJson = (...keys: ManagedKey[]): ManagedKeys => ({ path: ".mcp.json", format: "json", keys });
export const inHeader = (...keys: ManagedKey[]): ManagedKeys => ({
  path: ".claude/agents/a.md",
  format: "front-matter",
  keys,
});

/** Throws what stands in the way. */
export function put(text: string | undefined, keys: ManagedKeys, owned = nothing, loaded = libraries): Change {
  const { change, problem, conflicts } = withKeys(text, keys, owned, loaded);
  if (!change) throw new Error(problem ?? JSON.stringify(conflicts));
  return change;
}
