import { stableText } from "../base/stable-text.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { restrictionsOf, withBoth } from "./restrictions.ts";
import type { FoundForeign } from "./types.ts";

/** A file of another system, with names that no other file here uses. */
export interface NamedForeign extends FoundForeign {
  /** What its servers are called here, where that isn't the name that it gives them. */
  readonly renamed: Readonly<Record<string, string>>;
}

interface KnownServer {
  readonly connect: string;
  readonly file: string;
  /** Servers of a file that becomes a source, to be held to more; undefined: the file is read as it is. */
  readonly source: Record<string, JsonValue> | undefined;
}

/**
 * Several hosts often list the same server: what is taken over is a source once, held to what each of them takes away.
 * Another server of the same name gets a name of its own. Files that are read as they are come first, since their names stay.
 */
export function settleNames(foreign: readonly FoundForeign[]): NamedForeign[] {
  const known = new Map<string, KnownServer>();
  const inOrder = [
    ...foreign.filter(({ taken }) => taken.length === 0),
    ...foreign.filter(({ taken }) => taken.length > 0),
  ];
  return inOrder.map((one) => {
    const renamed: Record<string, string> = {};
    const kept: Record<string, JsonValue> = {};
    for (const [name, block] of Object.entries(serversOf(one.blocks))) {
      const connect = stableText((isObject(block) ? own(block, "connect") : undefined) ?? null);
      const there = known.get(name);
      if (there?.connect === connect && one.taken.length > 0) {
        holdTo(block, name, there, kept);
        continue;
      }
      const free = freeName(name, known);
      if (free !== name) renamed[name] = free;
      known.set(free, { connect, file: one.file, source: one.taken.length > 0 ? kept : undefined });
      kept[free] = block;
    }
    return { ...one, blocks: withRules({ ...one.blocks, servers: kept }, renamed), renamed };
  });
}

/** In the source that has the server; where a file is read as it is, in one that refines it. */
function holdTo(block: JsonValue, name: string, { file, source }: KnownServer, kept: Record<string, JsonValue>): void {
  const less = isObject(block) ? restrictionsOf(block) : {};
  if (Object.keys(less).length === 0) return;
  if (source === undefined) kept[name] = withBoth((kept[name] ?? { from: file }) as JsonObject, less);
  else source[name] = withBoth(source[name] as JsonObject, less);
}

/** Rules of a file that is written name its servers as they are called here. */
function withRules(blocks: JsonObject, renamed: Readonly<Record<string, string>>): JsonObject {
  const { policies } = blocks;
  if (!Array.isArray(policies) || Object.keys(renamed).length === 0) return blocks;
  const nameIn = (selector: string): string => {
    const dot = selector.indexOf(".");
    return dot < 0 ? selector : (renamed[selector.slice(0, dot)] ?? selector.slice(0, dot)) + selector.slice(dot);
  };
  const spelt = (value: JsonValue): JsonValue => {
    if (typeof value === "string") return nameIn(value);
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spelt(one)])) : value;
  };
  const rules = policies.map((rule: JsonValue) =>
    isObject(rule) && Array.isArray(rule["tools"]) ? { ...rule, tools: rule["tools"].map(spelt) } : rule,
  );
  return { ...blocks, policies: rules };
}

export function serversOf(blocks: JsonObject): JsonObject {
  const servers = own(blocks, "servers");
  return isObject(servers) ? servers : {};
}

function freeName(name: string, known: ReadonlyMap<string, KnownServer>): string {
  for (let i = 2, free = name; ; free = `${name}-${i++}`) if (!known.has(free)) return free;
}
