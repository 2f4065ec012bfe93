import { globMatcher, isGlob } from "../../base/glob.ts";
import type { ServerName } from "../../base/names.ts";
import type { Hints, Scope, Tool } from "../types.ts";
import type { Selector, SelectorPart } from "./parse.ts";

/** A server that selectors are held against, while it is linked. */
export interface SelectableServer {
  readonly name: string;
  readonly set: ToolSet;
  /** False: there is no manifest, so nothing but exact names can be judged. */
  readonly pinned: boolean;
  /** The manifest was refused: names can't be judged, and that was said. */
  readonly unreadable: boolean;
  readonly labels: readonly string[];
  readonly manifestFile: string;
}

/** Tools of one server. */
export interface ToolSet {
  readonly tools: readonly Tool[];
  readonly byName: ReadonlyMap<string, Tool>;
  readonly scopes: readonly Scope[];
  readonly all: readonly number[];
  /** Whose word `is:` goes by. */
  readonly hintsOf: (tool: Tool) => Hints;
}

export function toolSet(tools: readonly Tool[], scopes: readonly Scope[]): ToolSet {
  return {
    tools,
    byName: new Map(tools.map((tool) => [tool.name, tool])),
    scopes,
    all: tools.map((tool) => tool.index),
    hintsOf: (tool) => tool.hints,
  };
}

/** As guards see the same tools. */
function strictSet(set: ToolSet): ToolSet {
  return { ...set, hintsOf: (tool) => tool.strictHints };
}

/** Tools by server, of servers with a matched tool alone. `isStrict`: the author's hints lift nothing. */
export function matchTools(
  { parts }: Selector,
  servers: readonly SelectableServer[],
  isStrict: boolean,
): Map<ServerName, readonly number[]> {
  const found = new Map<ServerName, readonly number[]>();
  for (const { name, set } of servers) {
    const tools = matchAll(parts, isStrict ? strictSet(set) : set);
    if (tools.length > 0) found.set(name as ServerName, tools);
  }
  return found;
}

/** Indexes of the tools that every part matches, ascending. */
export function matchAll(parts: readonly SelectorPart[], set: ToolSet): readonly number[] {
  const [first, ...more] = parts;
  let matched = first ? matchPart(first, set) : [];
  for (const part of more) {
    const allowed = new Set(matchPart(part, set));
    matched = matched.filter((index) => allowed.has(index));
  }
  return matched;
}

export function matchPart(part: SelectorPart, set: ToolSet): readonly number[] {
  switch (part.kind) {
    case "name": {
      const tool = set.byName.get(part.name);
      return tool ? [tool.index] : [];
    }
    case "glob":
      return part.glob === "*" ? set.all : indexes(set, (tool) => part.matches(tool.name));
    case "is":
      return indexes(set, (tool) => set.hintsOf(tool)[part.hint]);
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
