import type { Node, ParsedNode, YAMLMap } from "yaml";
import { sourceYaml } from "../../base/block-yaml.ts";
import type { JsonObject, JsonValue } from "../../base/json.ts";
import type { KeyLibraries, NamePath } from "./types.ts";
import { lastOf } from "./yaml-front-matter.ts";

type Yaml = ReturnType<KeyLibraries["yaml"]>;
interface Pair {
  readonly key: ParsedNode;
  readonly value: ParsedNode | null;
}

/**
 * A source of the user's with one value put in, below a declaration that is there: what stands around it stays as it is,
 * comments too. Undefined: it isn't written so that this could be done.
 */
export function withValueAt(text: string, at: NamePath, value: JsonObject, yaml: Yaml): string | undefined {
  const document = yaml.parseDocument(text, { prettyErrors: false, logLevel: "silent" });
  if (document.errors.length > 0) return undefined;
  let node: Node | null = document.contents as Node | null;
  let around: Pair | undefined;
  for (const [depth, name] of at.entries()) {
    if (node === null || !yaml.isMap(node) || node.anchor !== undefined || node.tag?.startsWith("!")) return undefined;
    const pair = pairOf(node, name, yaml);
    // A map on one line is written anew, with what it has.
    if (node.flow || node.items.length === 0) return around && replaced(text, around, at.slice(depth), value, yaml);
    if (pair === undefined) return inserted(text, node, nested(at.slice(depth), value), yaml);
    [around, node] = [pair, pair.value];
  }
  return around && replaced(text, around, [], value, yaml);
}

function pairOf(map: YAMLMap<unknown, unknown>, name: string, yaml: Yaml): Pair | undefined {
  return (map.items as Pair[]).find(({ key }) => yaml.isScalar(key) && String(key.value) === name);
}

function replaced(text: string, pair: Pair, below: NamePath, value: JsonObject, yaml: Yaml): string {
  const before = (pair.value?.toJSON() ?? {}) as JsonObject;
  const made = below.length === 0 ? value : (merged(before, nested(below, value)) as JsonObject);
  if (JSON.stringify(before) === JSON.stringify(made)) return text;
  const start = pair.key.range[0];
  const end = lastOf(pair.value, yaml) ?? pair.key.range[1];
  const name = String((pair.key as { readonly value?: unknown }).value);
  return (
    text.slice(0, start) + entry(text, start, { [name]: made }) + text.slice(start).slice(trimmed(text, start, end))
  );
}

function inserted(text: string, map: YAMLMap<unknown, unknown>, made: JsonObject, yaml: Yaml): string {
  const pairs = map.items as Pair[];
  const start = pairs[0]!.key.range[0];
  const end = start + trimmed(text, start, lastOf(map, yaml) ?? start);
  return `${text.slice(0, end)}${eolOf(text)}${" ".repeat(columnOf(text, start))}${entry(text, start, made)}${text.slice(end)}`;
}

/** How long it is without the white space at its end. */
function trimmed(text: string, start: number, end: number): number {
  return text.slice(start, end).trimEnd().length;
}

/** As it stands at a column, without the spaces before its first line. */
function entry(text: string, start: number, made: JsonObject): string {
  const indent = " ".repeat(columnOf(text, start));
  return sourceYaml(made)
    .trimEnd()
    .split("\n")
    .map((line, i) => (i === 0 || line === "" ? line : indent + line))
    .join(eolOf(text));
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function nested(path: NamePath, value: JsonValue): JsonObject {
  return path.reduceRight<JsonValue>((held, name) => ({ [name]: held }), value) as JsonObject;
}

function merged(before: JsonValue, made: JsonValue): JsonValue {
  if (!isMap(before) || !isMap(made)) return made;
  return Object.fromEntries([
    ...Object.entries(before),
    ...Object.entries(made).map(([key, held]) => [key, merged(before[key] ?? null, held)] as const),
  ]);
}

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
