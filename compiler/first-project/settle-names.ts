import { stableText } from "../base/stable-text.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import type { FoundForeign } from "./types.ts";

/** A file of another system, with names that no other file here uses. */
export interface NamedForeign extends FoundForeign {
  /** What its servers are called here, where that isn't the name that it gives them. */
  readonly renamed: Readonly<Record<string, string>>;
}

/**
 * Several hosts often list the same server: what is taken over is a source once. Another server of the same name gets a
 * name of its own. Files that are read as they are come first, since their names stay.
 */
export function settleNames(foreign: readonly FoundForeign[]): NamedForeign[] {
  const known = new Map<string, string>();
  const inOrder = [
    ...foreign.filter(({ taken }) => taken.length === 0),
    ...foreign.filter(({ taken }) => taken.length > 0),
  ];
  return inOrder.map((one) => {
    const renamed: Record<string, string> = {};
    const kept: Record<string, JsonValue> = {};
    for (const [name, block] of Object.entries(serversOf(one.blocks))) {
      const connect = stableText((isObject(block) ? own(block, "connect") : undefined) ?? null);
      if (known.get(name) === connect && one.taken.length > 0) continue;
      const free = freeName(name, known);
      if (free !== name) renamed[name] = free;
      known.set(free, connect);
      kept[free] = block;
    }
    return { ...one, blocks: { ...one.blocks, servers: kept }, renamed };
  });
}

export function serversOf(blocks: JsonObject): JsonObject {
  const servers = own(blocks, "servers");
  return isObject(servers) ? servers : {};
}

function freeName(name: string, known: ReadonlyMap<string, string>): string {
  for (let i = 2, free = name; ; free = `${name}-${i++}`) if (!known.has(free)) return free;
}
