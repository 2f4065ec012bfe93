import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { globMatcher, isGlob } from "../../base/glob.ts";
import type { GivesAsShown } from "../../base/place.ts";
import { nearest } from "../../base/nearest.ts";
import { exactly } from "./exact.ts";
import { shown, shownAs } from "./shown-names.ts";

/** Where a selector stands. */
export interface SelectorAt {
  /** Undefined: in a rule, as `server.tool`. */
  readonly server: string | undefined;
  /** The block in which a tool is held by it; undefined: it takes something away, or speaks of a tool. */
  readonly gives: GivesAsShown | undefined;
}

/** What is to stand for a selector. */
export type RenameTool = (written: string, at: SelectorAt) => string;

export interface Renames {
  readonly rename: RenameTool;
  /** Names that no selector is, each with one that may be meant: nothing is renamed by them. */
  readonly unused: readonly { readonly name: string; readonly near: string | undefined }[];
  /** Names of tools of several servers, where one that is meant has to be said. */
  readonly unclear: readonly { readonly tool: string; readonly servers: readonly string[] }[];
}

/**
 * Tools under other names, wherever one is named exactly. `server.tool` is that server's, by our name of it or its own; a
 * name alone is the one server's that the blocks name such a tool of. A rule about several servers goes with a name alone:
 * beside one server's it would lose what it says of this one.
 */
export function renaming(renamed: ReadonlyMap<string, string>, blocks: JsonObject): Renames {
  const found = serversBySelector(blocks);
  const known = knownServers(blocks, found);
  const asked = [...renamed].map(([written, now]) => ({ written, now, ...partsOf(written, known) }));
  const own = asked.filter(({ server }) => server !== undefined);
  const isOwn = new Set(own.flatMap(({ server, old }) => spellings(old).map((one) => ofServer(server!, one))));
  const isMeant = (of: string, tool: string, server: string | undefined): boolean =>
    of === server || ((server === undefined || isAbout(of, server)) && !isOwn.has(ofServer(of, tool)));
  const names = new Map<string, string>();
  const unused: Renames["unused"][number][] = [];
  const unclear: Renames["unclear"][number][] = [];
  for (const { written, server, old, now } of asked) {
    const at = spellings(old).flatMap((tool) =>
      [...(found.get(tool) ?? [])].filter((of) => isMeant(of, tool, server)).map((of) => ({ of, tool })),
    );
    const servers = [...new Set([...(server === undefined ? [] : [server]), ...at.map(({ of }) => of)])];
    const several = server === undefined ? servers.filter((one) => !isOfSeveral(one)) : servers;
    if (at.length === 0) unused.push({ name: written, near: nearTo(written, old, found.keys()) });
    else if (several.length > 1) unclear.push({ tool: old, servers });
    else for (const { of, tool } of at) names.set(ofServer(of, tool), exactly(now));
  }
  const rename: RenameTool = (written, at) => {
    const { of, tool } = dividedAt(written, at);
    return written.slice(0, written.length - tool.length) + (names.get(ofServer(of, tool)) ?? tool);
  };
  return { rename, unused, unclear };
}

function nearTo(written: string, old: string, known: Iterable<string>): string | undefined {
  const near = nearest(old, known);
  return near === undefined ? undefined : written.slice(0, written.length - old.length) + near;
}

function ofServer(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

/** A rule may name no server, or a pattern over their names. */
function isOfSeveral(server: string): boolean {
  return server === "" || isGlob(server);
}

function isAbout(written: string, server: string): boolean {
  return written === "" || (isGlob(written) && globMatcher(written)(server));
}

function dividedAt(written: string, { server }: SelectorAt): { readonly of: string; readonly tool: string } {
  if (server !== undefined) return { of: server, tool: written };
  const dot = written.indexOf(".");
  return dot < 0 ? { of: "", tool: written } : { of: written.slice(0, dot), tool: written.slice(dot + 1) };
}

/** As a list has the name, and as a rule has one that is shown so. */
function spellings(tool: string): readonly string[] {
  return [...new Set([exactly(tool), shownAs(shown(tool))])];
}

function serversBySelector(blocks: JsonObject): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  renameTools(blocks, (written, at) => {
    const { of, tool } = dividedAt(written, at);
    found.set(tool, (found.get(tool) ?? new Set()).add(of));
    return written;
  });
  return found;
}

/** Each name of a server, with ours. */
function knownServers(
  { servers }: JsonObject,
  found: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, string> {
  const names = [...found.values()].flatMap((of) => [...of]);
  const declared = Object.entries(isObject(servers) ? servers : {});
  const titles = declared.flatMap(([name, block]) =>
    isObject(block) && typeof block["title"] === "string" ? [[block["title"], name] as const] : [],
  );
  return new Map([...titles, ...[...names, ...declared.map(([name]) => name)].map((name) => [name, name] as const)]);
}

/** A server's name and a tool of it, or a tool alone: either may have dots of its own. */
function partsOf(
  written: string,
  servers: ReadonlyMap<string, string>,
): { readonly server: string | undefined; readonly old: string } {
  const dots = [...written.matchAll(/\./g)].map(({ index }) => index);
  const at = dots.findLast((dot) => servers.has(written.slice(0, dot)));
  if (at === undefined) return { server: undefined, old: written };
  return { server: servers.get(written.slice(0, at)), old: written.slice(at + 1) };
}

/** With every selector of the blocks renamed: an item of a list under a server, or `server.tool` in a rule, optional ones too. */
export function renameTools(blocks: JsonObject, rename: RenameTool): JsonObject {
  const inside = (value: JsonValue, at: SelectorAt): JsonValue => {
    if (Array.isArray(value))
      return value.map((item) => (typeof item === "string" ? rename(item, at) : inside(item, at)));
    if (!isObject(value)) return value;
    return mapped(value, (held, key) => {
      const taking: SelectorAt = { ...at, gives: undefined };
      if (key === "optional" && typeof held === "string") return rename(held, taking);
      return inside(held, key === "include" ? at : taking);
    });
  };
  const toolsOf = (block: JsonValue, list: (key: string, value: JsonValue) => JsonValue): JsonValue =>
    isObject(block)
      ? mapped(block, (value, key) => (["tools", "scopes", "labels"].includes(key) ? list(key, value) : value))
      : block;
  const ofRole = (_: string, tools: JsonValue): JsonValue =>
    isObject(tools) ? mapped(tools, (entry, server) => inside(entry, { server, gives: "roles" })) : tools;
  return mapped(blocks, (held, section) => {
    if (Array.isArray(held))
      return held.map((rule) => toolsOf(rule, (_, value) => inside(value, { server: undefined, gives: undefined })));
    return mapped(held as JsonObject, (block, name) => {
      const ofServer = (key: string, value: JsonValue): JsonValue =>
        inside(value, { server: name, gives: key === "tools" ? "servers" : undefined });
      return toolsOf(block, section === "roles" ? ofRole : ofServer);
    });
  });
}

function mapped(map: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}
