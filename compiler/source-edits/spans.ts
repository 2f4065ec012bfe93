import type { CST, Node, YAMLMap, YAMLSeq } from "yaml";
import type { JsonValue } from "../base/json.ts";
import { entryLines, itemLines } from "../base/block-yaml.ts";
import { writingIn } from "../base/flow-yaml.ts";
import { isNothing, type YamlPair } from "./find.ts";
import type { YamlLibrary } from "./types.ts";

/** Where the items of a collection stand in the text, and what a new one looks like. */
export type Collection = YAMLMap | YAMLSeq;

interface Span {
  readonly start: number;
  /** Behind its last character; of a text that keeps its line breaks, behind the last of them. */
  readonly end: number;
}

export function spansOf(node: Collection, yaml: YamlLibrary): Span[] {
  const tokens = itemTokens(node);
  return node.items.map((item, i) => ({ start: startOf(tokens[i]!), end: endOfItem(item, tokens[i]!, yaml) }));
}

/** Those that hold something: comments behind the last one have a token too. */
function itemTokens(node: Collection): CST.CollectionItem[] {
  const { items } = node.srcToken as CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
  return items.filter(
    ({ start, key, sep, value }) =>
      (key ?? undefined) !== undefined ||
      value !== undefined ||
      sep !== undefined ||
      start.some(({ type }) => MARKS.has(type)),
  );
}

const MARKS: ReadonlySet<string> = new Set(["seq-item-ind", "explicit-key-ind", "anchor", "tag"]);

function startOf({ start, key, sep, value }: CST.CollectionItem): number {
  const tokens = [...start.filter(({ type }) => MARKS.has(type)), key ?? undefined, ...(sep ?? []), value];
  const first = tokens.find((one) => one !== undefined);
  return first!.offset;
}

function endOfItem(item: unknown, token: CST.CollectionItem, yaml: YamlLibrary): number {
  const pair = isPair(item) ? item : undefined;
  const node = pair ? pair.value : (item as Node | null);
  if (!isNothing(node)) return endOf(node!, yaml);
  const marks = [...token.start, ...(token.sep ?? [])].filter(({ type }) => type.endsWith("-ind"));
  return Math.max(pair?.key.range?.[1] ?? 0, ...marks.map(({ offset, source }) => offset + source.length));
}

function isPair(item: unknown): item is YamlPair {
  return typeof item === "object" && item !== null && "key" in item;
}

export function endOf(node: Node, yaml: YamlLibrary): number {
  if ((yaml.isMap(node) || yaml.isSeq(node)) && !node.flow) return spansOf(node, yaml).at(-1)!.end;
  return node.range![1];
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line ends in which `offset` lies; of one that begins there, since the text before has its line break, that. */
export function behindLine(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === "\n") return offset;
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** As many spaces as stand before it, or other characters. */
export function indentAt(text: string, offset: number): string {
  return " ".repeat(offset - lineStart(text, offset));
}

/** One entry or item, as it is written in a collection of that kind. */
export interface NewItem {
  readonly key: string | undefined;
  readonly value: JsonValue;
  /** A server, a role: each of its keys on a line of its own. */
  readonly isDeclaration: boolean;
}

export function flowItem({ key, value }: NewItem, file: string): string {
  const writing = writingIn(file);
  return key === undefined ? writing.value(value) : writing.entry(key, value);
}

export function blockItem({ key, value, isDeclaration }: NewItem, indent: string): string {
  const lines = key === undefined ? itemLines(value, indent) : entryLines(key, value, indent, isDeclaration);
  return lines.join("\n");
}
