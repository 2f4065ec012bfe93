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
  /** Servers of the source that has it, to be held to more; undefined: its file is read as it is, and no source refines it yet. */
  source: Record<string, JsonValue> | undefined;
}

/** Builds write into the file, or settings beside it take something away, of which a build that reads it as it is holds nothing. */
export function isSource({ taken, heeded }: Pick<FoundForeign, "taken" | "heeded">): boolean {
  return taken.length > 0 || heeded.length > 0;
}

/**
 * Several hosts often list the same server: what is taken over is a source once, held to what each of them takes away.
 * Another server of the same name gets a name of its own. Files that are read as they are come first, since their names stay.
 */
export function settleNames(foreign: readonly FoundForeign[]): NamedForeign[] {
  const known = new Map<string, KnownServer>();
  /** What servers are called here that their files call so. */
  const called = new Map<string, string[]>();
  const rules = new Map<string, string>();
  const inOrder = [...foreign.filter((one) => !isSource(one)), ...foreign.filter(isSource)];
  return inOrder.map((one) => {
    const renamed: Record<string, string> = {};
    const held = new Map<string, readonly string[]>();
    const kept: Record<string, JsonValue> = {};
    for (const [name, block] of Object.entries(serversOf(one.blocks))) {
      const connect = stableText((isObject(block) ? own(block, "connect") : undefined) ?? null);
      const candidates = new Set([name, ...(called.get(name) ?? [])]);
      const same = [...candidates].filter((here) => known.get(here)?.connect === connect);
      if (same.length > 0 && isSource(one)) {
        for (const here of same) holdTo(block, here, known.get(here)!, kept);
        held.set(name, same);
        continue;
      }
      const free = freeName(name, known);
      if (free !== name) renamed[name] = free;
      held.set(name, [free]);
      called.set(name, [...(called.get(name) ?? []), free]);
      known.set(free, { connect, file: one.file, source: isSource(one) ? kept : undefined });
      // What its file calls it: lines of other systems speak of it so.
      kept[free] = free !== name && isObject(block) ? { title: name, ...block } : block;
    }
    const blocks = withRules({ ...one.blocks, servers: kept }, held);
    return { ...one, blocks: isSource(one) ? withNewRules(blocks, rules) : blocks, renamed };
  });
}

/** In the source that has the server; where a file is read as it is, in the one source that refines it. */
function holdTo(block: JsonValue, name: string, there: KnownServer, kept: Record<string, JsonValue>): void {
  const less = isObject(block) ? restrictionsOf(block) : {};
  if (Object.keys(less).length === 0) return;
  const source = (there.source ??= kept);
  source[name] = withBoth((source[name] ?? { from: there.file }) as JsonObject, less);
}

/** Settings that several files are held to are a rule once, and each rule has a name of its own. */
function withNewRules(blocks: JsonObject, known: Map<string, string>): JsonObject {
  const { policies, ...others } = blocks;
  if (!Array.isArray(policies)) return blocks;
  const kept = policies.flatMap((rule: JsonValue): JsonValue[] => {
    if (!isObject(rule) || typeof rule["name"] !== "string") return [rule];
    const text = stableText({ ...rule, name: null });
    for (let i = 2, name = rule["name"]; ; name = `${rule["name"]} (${i++})`) {
      if (known.get(name) === text) return [];
      if (known.has(name)) continue;
      known.set(name, text);
      return [{ ...rule, name }];
    }
  });
  return kept.length === 0 ? others : { ...others, policies: kept };
}

/** Rules of a file that is written name its servers as they are called here: of one that several files have, each. */
function withRules(blocks: JsonObject, held: ReadonlyMap<string, readonly string[]>): JsonObject {
  const { policies } = blocks;
  if (!Array.isArray(policies)) return blocks;
  const speltIn = (selector: string): readonly string[] => {
    const server = selector.slice(0, Math.max(0, selector.indexOf(".")));
    return (held.get(server) ?? [server]).map((here) => here + selector.slice(server.length));
  };
  const spelt = (item: JsonValue): JsonValue[] => {
    if (typeof item === "string") return [...speltIn(item)];
    const [form, selector] = isObject(item) ? (Object.entries(item)[0] ?? []) : [];
    return form !== undefined && typeof selector === "string"
      ? speltIn(selector).map((one) => ({ [form]: one }))
      : [item];
  };
  const rules = policies.map((rule: JsonValue) =>
    isObject(rule) && Array.isArray(rule["tools"]) ? { ...rule, tools: rule["tools"].flatMap(spelt) } : rule,
  );
  return { ...blocks, policies: rules };
}

export function serversOf(blocks: JsonObject): JsonObject {
  const servers = own(blocks, "servers");
  return isObject(servers) ? servers : {};
}

/** The name itself, or the first behind it that nothing has. */
export function freeName(name: string, known: { has(name: string): boolean }): string {
  for (let i = 2, free = name; ; free = `${name}-${i++}`) if (!known.has(free)) return free;
}
