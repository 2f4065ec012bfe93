import type { Document, Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { JsonValue } from "../base/json.ts";
import type { KeyPath } from "../base/place.ts";
import type { YamlLibrary } from "./types.ts";

export type YamlPair = Pair<Scalar, Node | null>;

/** How far a path leads. */
export interface Found {
  /** The last thing that is there; null: an empty document, or a key without anything behind it. */
  readonly node: Node | null;
  /** The collection that holds it, and its place there; undefined: it is the whole document. */
  readonly holder: YAMLMap | YAMLSeq | undefined;
  readonly index: number;
  /** How many steps of the path are there, and those that aren't. */
  readonly depth: number;
  readonly rest: KeyPath;
  /** An entry can be added to it. */
  readonly isOpen: boolean;
  readonly shared: boolean;
  /** The key of each entry on the way. */
  readonly keys: readonly Scalar[];
}

export interface ParsedText {
  readonly root: Node | null;
  readonly value: JsonValue;
}

/** Undefined: there is no one value in it. */
export function parsed(text: string, yaml: YamlLibrary): ParsedText | undefined {
  try {
    const options = { keepSourceTokens: true, logLevel: "silent", prettyErrors: false } as const;
    const document = yaml.parseDocument(text, options) as Document.Parsed;
    if (document.errors.length > 0) return undefined;
    const value = document.toJS({ maxAliasCount: 100 }) as JsonValue;
    return { root: isNothing(document.contents) ? null : document.contents, value };
  } catch {
    return undefined;
  }
}

export function find({ root }: ParsedText, path: KeyPath, yaml: YamlLibrary): Found {
  let node = root;
  let holder: Found["holder"];
  let index = 0;
  let shared = isShared(node, yaml);
  const keys: Scalar[] = [];
  let depth = 0;
  for (; depth < path.length && !shared; depth++) {
    const next = stepInto(node, path[depth]!, yaml);
    if (next === undefined) break;
    holder = node as YAMLMap | YAMLSeq;
    index = next.index;
    node = next.node;
    if (next.key) keys.push(next.key);
    shared = isShared(node, yaml) || isShared(next.key ?? null, yaml);
  }
  const isOpen = node === null || yaml.isMap(node);
  return { node, holder, index, depth, rest: path.slice(depth), isOpen, shared, keys };
}

function stepInto(node: Node | null, step: string | number, yaml: YamlLibrary) {
  if (yaml.isMap(node)) {
    const pairs = node.items as YamlPair[];
    const index = pairs.findIndex(({ key }) => yaml.isScalar(key) && String(key.value) === step);
    const pair = pairs[index];
    return pair && { node: orNothing(pair.value), index, key: pair.key };
  }
  if (!yaml.isSeq(node) || typeof step !== "number" || step >= node.items.length) return undefined;
  return { node: orNothing(node.items[step] as Node | null), index: step, key: undefined };
}

function orNothing(node: Node | null): Node | null {
  return isNothing(node) ? null : node;
}

/** A null that nobody wrote. */
export function isNothing(node: Node | null | undefined): boolean {
  if (!node) return true;
  const { range, anchor, tag } = node as Scalar;
  return range?.[0] === range?.[1] && anchor === undefined && tag === undefined;
}

function isShared(node: Node | null, yaml: YamlLibrary): boolean {
  if (node === null) return false;
  return yaml.isAlias(node) || (node as Scalar).anchor !== undefined || (node as Scalar).tag?.startsWith("!") === true;
}
