import { globFinder, globMatcher, isGlob } from "../../base/glob.ts";
import type { ServerName } from "../../base/names.ts";
import type { Place } from "../../base/place.ts";
import type { Scope, Tool } from "../types.ts";
import type { Selector, SelectorPart } from "./parse.ts";

/** A server that selectors are held against, while it is linked. */
export interface SelectableServer {
  readonly name: string;
  /** What another system's file calls it. */
  readonly title?: string | undefined;
  /** A preset of rolecall that may be about it. */
  readonly knownPreset?: string | undefined;
  readonly set: ToolSet;
  /** False: there is no manifest, so nothing but exact names can be judged. */
  readonly pinned: boolean;
  /** `enabled: false`: no role holds a tool of it, and nothing more is to be known. */
  readonly off: boolean;
  /** The manifest was refused: names can't be judged, and that was said. */
  readonly unreadable: boolean;
  readonly labels: readonly string[];
  readonly manifestFile: string;
  /** What the server is built on, and where the project says so. */
  readonly preset?: { readonly id: string; readonly file: string; readonly named: Place } | undefined;
}

/** Tools of one server. */
export interface ToolSet {
  readonly tools: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
  readonly scopes: readonly Scope[];
  readonly all: readonly number[];
  /** The indexes of tools whose names match a glob. */
  find(glob: string): readonly number[];
}

export function toolSet(tools: readonly Tool[], scopes: readonly Scope[]): ToolSet {
  const find = globFinder(tools.map(({ name }) => name));
  return {
    tools,
    byName: new Map(tools.map((tool) => [tool.name, tool])),
    scopes,
    all: tools.map((tool) => tool.index),
    find: (glob) => find(glob).map((at) => tools[at]!.index),
  };
}

/** Tools by server, of servers with a matched tool alone. */
export function matchTools<Server extends SelectableServer>(
  { parts }: Selector,
  servers: readonly Server[],
  matching: (part: SelectorPart, server: Server) => readonly number[] = matchPart,
): Map<ServerName, readonly number[]> {
  const found = new Map<ServerName, readonly number[]>();
  for (const server of servers) {
    const tools = matchAll(parts.map((part) => matching(part, server)));
    if (tools.length > 0) found.set(server.name as ServerName, tools);
  }
  return found;
}

/** Indexes that are in every list, in the order of the first. */
export function matchAll([first = [], ...more]: readonly (readonly number[])[]): readonly number[] {
  return more.reduce((matched, list) => {
    const allowed = new Set(list);
    return matched.filter((index) => allowed.has(index));
  }, first);
}

export function matchPart(part: SelectorPart, { set }: Pick<SelectableServer, "set">): readonly number[] {
  switch (part.kind) {
    case "name": {
      const tool = set.byName.get(part.name);
      return tool ? [tool.index] : [];
    }
    case "glob":
      return part.glob === "*" ? set.all : set.find(part.glob);
    case "is":
      return indexes(set, (tool) => part.holds(tool.hints));
    case "label":
      return indexes(set, (tool) => tool.labels.includes(part.name));
    case "scope":
      return set.scopes.find((scope) => scope.name === part.name)?.tools ?? [];
  }
}

function indexes(set: ToolSet, wanted: (tool: Tool) => boolean): number[] {
  return set.tools.filter(wanted).map((tool) => tool.index);
}

/** Of servers or roles, those that a text names: it is one of the names, or a glob. In their names nothing is escaped. */
export function namesMatching(written: string, names: readonly string[]): string[] {
  return names.filter(isGlob(written) ? globMatcher(written) : (name) => name === written);
}
