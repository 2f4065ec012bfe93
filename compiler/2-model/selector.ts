import { globMatcher, isGlob, literal } from "../base/glob.ts";
import { nearest } from "../base/nearest.ts";
import type { Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Hints, Scope, Tool } from "./types.ts";

/** A selector of a list, taken apart; all parts must match. */
export interface Selector {
  readonly written: string;
  readonly place: Place;
  readonly parts: readonly SelectorPart[];
}

export type SelectorPart =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "glob"; readonly glob: string; readonly matches: (name: string) => boolean }
  | { readonly kind: "is"; readonly hint: keyof Hints }
  | { readonly kind: "scope" | "label"; readonly name: string };

const CLASSES: ReadonlyMap<string, keyof Hints> = new Map([
  ["read-only", "readOnly"],
  ["destructive", "destructive"],
  ["idempotent", "idempotent"],
  ["open-world", "openWorld"],
]);

/** A class without its `is:`, however its words are joined: a name that no tool has is likely that. */
export function classMeant(word: string): string | undefined {
  const bare = word
    .replace(/hint$/i, "")
    .replace(/[^A-Za-z]/g, "")
    .toLowerCase();
  const meant = [...CLASSES.keys()].find((name) => name.replace("-", "") === bare);
  return meant && `is:${meant}`;
}

/** Most selectors are names and nothing else: letters that no glob, class or escape is made of. */
const PLAIN_NAME = /^[\w./-]+$/;

/** Undefined when a part has no meaning; that was reported. */
export function parseSelector(written: string, place: Place, report: Report): Selector | undefined {
  if (PLAIN_NAME.test(written)) return { written, place, parts: [{ kind: "name", name: written }] };
  const parts = written.split(" & ").map((text) => parsePart(text, place, report));
  return parts.every((part) => part !== undefined) ? { written, place, parts } : undefined;
}

/** The same, where nothing is said of a part without meaning. */
export function parseQuietly(written: string): readonly SelectorPart[] | undefined {
  const parts = written.split(" & ").map(readPart);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

export function parsePart(text: string, place: Place, report: Report): SelectorPart | undefined {
  const part = readPart(text);
  if (part !== undefined) return part;
  if (text === "") report.add("source/empty-selector", place, {});
  else {
    const rest = text.slice("is:".length);
    const meant = classMeant(rest)?.slice("is:".length) ?? nearest(rest, CLASSES.keys());
    report.add("source/unknown-class", place, { written: text, nearest: meant });
  }
  return undefined;
}

function readPart(text: string): SelectorPart | undefined {
  if (text === "") return undefined;
  const [, prefix, rest] = /^(is|scope|label):(.*)$/s.exec(text) ?? [];
  if (prefix === "scope" || prefix === "label") return { kind: prefix, name: rest! };
  if (prefix === "is") {
    const hint = CLASSES.get(rest!);
    return hint && { kind: "is", hint };
  }
  if (isGlob(text)) return { kind: "glob", glob: text, matches: globMatcher(text) };
  return { kind: "name", name: literal(text) };
}

/** An exact name and nothing else. */
export function exactName(selector: Selector): string | undefined {
  const [part, ...more] = selector.parts;
  return part?.kind === "name" && more.length === 0 ? part.name : undefined;
}

/** The name that a text means when it is an exact name, whatever it is held against. */
export function exactNameOf(written: string): string | undefined {
  if (PLAIN_NAME.test(written)) return written;
  return isGlob(written) || /^(is|scope|label):| & /.test(written) ? undefined : literal(written);
}

/** Tools of one server that selectors are held against. */
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
export function strictSet(set: ToolSet): ToolSet {
  return { ...set, hintsOf: (tool) => tool.strictHints };
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
