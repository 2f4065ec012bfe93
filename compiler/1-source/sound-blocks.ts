import { project } from "../../schemas/project.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { ANYTHING } from "./read-shaped.ts";
import { acceptedKeys } from "./schema-walk.ts";
import type { SoundBlocks } from "./types.ts";

/** The declarations whose shape is right. The others were reported; their names are remembered, so that naming them is no second error. */
export function soundBlocks(
  value: JsonObject,
  faults: readonly (readonly (string | number)[])[],
  broken: Set<string>,
): SoundBlocks {
  const at = (block: string): (string | number)[] =>
    faults.flatMap((path) => (path[0] === block && path.length > 1 ? [path[1]!] : []));
  const whole = new Set(faults.filter((path) => path.length === 1).map((path) => String(path[0])));
  if (faults.some((path) => path.length === 0) && holdsUnknown(value)) broken.add(ANYTHING);
  if (faults.some(([block]) => block === "state")) broken.add(stateServer(value, faults));
  for (const block of ["servers", "roles"]) {
    if (whole.has(block)) broken.add(ANYTHING);
    for (const name of at(block)) broken.add(`${block}.${name}`);
  }
  const map = (block: string): JsonObject | undefined =>
    isObject(value[block]) && !whole.has(block) ? without(value[block], at(block).map(String)) : undefined;
  const list = (block: string): JsonValue[] | undefined =>
    Array.isArray(value[block])
      ? value[block].map((item: JsonValue, i: number) => (at(block).includes(i) ? null : item))
      : undefined;
  return {
    servers: map("servers"),
    roles: map("roles"),
    policies: list("policies"),
    invariants: list("invariants"),
    approved: list("approved"),
  } as SoundBlocks;
}

/** Under a key that nobody knows anything may have been declared. */
export function holdsUnknown(value: JsonObject): boolean {
  const known = acceptedKeys(project, [], value);
  return Object.entries(value).some(([key, held]) => !known.includes(key) && typeof held === "object" && held !== null);
}

/** The server that `state` declares, where its name could be read. */
function stateServer({ state }: JsonObject, faults: readonly (readonly (string | number)[])[]): string {
  const name = isObject(state) ? own(state, "name") : undefined;
  const isSound = typeof name === "string" && !faults.some(([block, key]) => block === "state" && key === "name");
  return isSound ? `servers.${name}` : ANYTHING;
}

export function without(value: JsonObject, keys: readonly string[]): JsonObject {
  return keys.length === 0 ? value : Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}
