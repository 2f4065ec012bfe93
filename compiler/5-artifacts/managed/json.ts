import type { Node, ParseError } from "jsonc-parser";
import type { JsonValue } from "../../base/json.ts";
import { insertKey, isBlank, removeProperty } from "./json-edits.ts";
import { jsonOfNode, layoutOf, printed } from "./json-text.ts";
import type { FoundValue, KeyFormat, KeyLibraries, NamePath, LookedInto } from "./types.ts";

/** JSON as people write it: with comments, commas at the end, a byte order mark. Only the text of our own keys changes. */
export function jsonFormat(jsonc: ReturnType<KeyLibraries["jsonc"]>): KeyFormat {
  const rootOf = (text: string): Node => jsonc.parseTree(text, [], { allowTrailingComma: true })!;
  return {
    look: (text) => look(withoutMark(text), jsonc),
    set,
    remove,
    gist: (text) => gist(withoutMark(text), jsonc),
  };

  function set(text: string | undefined, at: NamePath, value: JsonValue): string {
    if (text === undefined || isBlank(withoutMark(text)))
      return set(`${markOf(text ?? "")}{}${layoutOf(text ?? "").eol}`, at, value);
    const single = withoutRepeats(text, at);
    return markOf(single) + setIn(withoutMark(single), at, value);
  }

  /** A merge can leave a key of ours there twice: the first stays, to be replaced. */
  function withoutRepeats(text: string, at: NamePath): string {
    const json = withoutMark(text);
    const root = rootOf(json);
    const object = objectAt(root, at.slice(0, -1));
    const named = object?.children?.filter((child) => isNamed(child, at.at(-1)!)) ?? [];
    if (object === undefined || named.length < 2) return text;
    const scanner = jsonc.createScanner(json);
    return withoutRepeats(markOf(text) + removeProperty({ text: json, object, root, scanner }, named.at(-1)!), at);
  }

  function setIn(text: string, at: NamePath, value: JsonValue): string {
    const layout = layoutOf(text);
    const root = rootOf(text);
    let object = root;
    for (const [depth, name] of at.entries()) {
      const property = propertyOf(object, name);
      if (property === undefined) {
        const whole = at.slice(depth + 1).reduceRight<JsonValue>((inner, part) => ({ [part]: inner }), value);
        return insertKey({ text, object, root, scanner: jsonc.createScanner(text) }, name, whole, layout);
      }
      if (depth === at.length - 1) return replaced(text, property, value, layout);
      object = property.children![1]!;
    }
    return text;
  }

  function remove(text: string, at: NamePath): string | undefined {
    const [mark, json] = [markOf(text), withoutMark(text)];
    const root = rootOf(json);
    const object = objectAt(root, at.slice(0, -1))!;
    const site = { text: json, object, root, scanner: jsonc.createScanner(json) };
    const shorter = mark + removeProperty(site, propertyOf(object, at.at(-1)!)!);
    const again = objectAt(rootOf(withoutMark(shorter)), at.slice(0, -1))!;
    return propertyOf(again, at.at(-1)!) ? remove(shorter, at) : tidied(shorter, at.slice(0, -1));
  }

  /** An object without keys goes, and a file that held nothing else. A comment in it is the user's, and keeps it. */
  function tidied(text: string, at: NamePath): string | undefined {
    const json = withoutMark(text);
    const object = objectAt(rootOf(json), at)!;
    const end = object.offset + object.length;
    if (object.children!.length > 0 || !isBlank(json.slice(object.offset + 1, end - 1))) return text;
    if (at.length > 0) return remove(text, at);
    return isBlank(json.slice(0, object.offset) + json.slice(end)) ? undefined : text;
  }
}

function objectAt(root: Node, at: NamePath): Node | undefined {
  return at.reduce<Node | undefined>((node, name) => node && propertyOf(node, name)?.children?.[1], root);
}

/** Its tokens without space, and without commas, since a key takes one with it. */
function gist(text: string, jsonc: ReturnType<KeyLibraries["jsonc"]>): string {
  const scanner = jsonc.createScanner(text);
  const tokens: string[] = [];
  for (let kind = scanner.scan() as number; kind !== TOKENS.end; kind = scanner.scan())
    if (!TOKENS.passed.includes(kind)) tokens.push(`${kind} ${scanner.getTokenValue()}`);
  return tokens.join("\n");
}

/** `SyntaxKind` of jsonc-parser: its own object would have to be loaded for four numbers. */
const TOKENS = { end: 17, passed: [5, 14, 15] };

function look(text: string, jsonc: ReturnType<KeyLibraries["jsonc"]>): LookedInto {
  if (isBlank(text)) return { valueAt: () => ({}) };
  const errors: ParseError[] = [];
  const root = parsed();
  if (root === undefined || errors.length > 0)
    return { problem: { case: "bad-json", line: String(lineOf(text, errors[0]?.offset)) } };
  if (root.type !== "object") return { problem: { case: "no-object" } };
  const twice = (at: NamePath) => twiceOn(root, at);
  return { valueAt: (at) => twice(at) ?? find(root, at) };

  function parsed(): Node | undefined {
    try {
      return jsonc.parseTree(text, errors, { allowTrailingComma: true });
    } catch {
      // So many brackets in each other that the parser's stack has no room for them.
      return undefined;
    }
  }
}

function find(root: Node, at: NamePath): FoundValue {
  let node = root;
  for (const [depth, name] of at.entries()) {
    if (node.type !== "object") return { blocked: at.slice(0, depth) };
    const property = propertyOf(node, name);
    if (property === undefined) return {};
    node = property.children![1]!;
  }
  return { json: jsonOfNode(node) };
}

/** Readers differ about which of two equal keys counts. On the way to ours neither is ours to change; ours itself is. */
function twiceOn(root: Node, at: NamePath): FoundValue | undefined {
  let node: Node | undefined = root;
  for (const [depth, name] of at.entries()) {
    const named: Node[] = (node.children ?? []).filter((child) => isNamed(child, name));
    if (named.length > 1) return depth === at.length - 1 ? { json: TWICE } : { blocked: at.slice(0, depth + 1) };
    node = named[0]?.children?.[1];
    if (node === undefined) return undefined;
  }
  return undefined;
}

/** No JSON: what is there twice is never what we wrote. */
const TWICE = "twice";

function propertyOf(object: Node, name: string): Node | undefined {
  return object.children?.find((child) => isNamed(child, name));
}

function isNamed(property: Node, name: string): boolean {
  return property.type === "property" && property.children?.[0]?.value === name;
}

function replaced(text: string, property: Node, value: JsonValue, layout: ReturnType<typeof layoutOf>): string {
  const old = property.children![1]!;
  const line = text.slice(text.lastIndexOf("\n", property.offset) + 1, property.offset);
  const indent = line.trim() === "" ? line : undefined;
  return text.slice(0, old.offset) + printed(value, indent, layout) + text.slice(old.offset + old.length);
}

function lineOf(text: string, offset = 0): number {
  return text.slice(0, offset).split("\n").length;
}

function markOf(text: string): string {
  return text.startsWith("\uFEFF") ? "\uFEFF" : "";
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
