import type { Node, ParseError } from "jsonc-parser";
import type { JsonValue } from "../../base/json.ts";
import { insertKey, isBlank, removeProperty } from "./json-edits.ts";
import { jsonOfNode, layoutOf, printed } from "./json-text.ts";
import { textOfPath } from "./path-text.ts";
import type { Before, Found, KeyedText, KeyFormat, KeyLibraries, KeyPath, Looked } from "./types.ts";

/** JSON as people write it: with comments, commas at the end, a byte order mark. Only the text of our own keys changes. */
export function jsonFormat(jsonc: ReturnType<KeyLibraries["jsonc"]>): KeyFormat {
  const rootOf = (text: string): Node => jsonc.parseTree(text, [], { allowTrailingComma: true })!;
  return { look: (text) => look(withoutMark(text), jsonc), set, remove };

  function set({ text, before }: KeyedText, at: KeyPath, value: JsonValue): KeyedText {
    if (text === undefined || isBlank(withoutMark(text))) {
      const made = new Map(before).set("", text === undefined ? null : withoutMark(text));
      return set({ text: `${markOf(text ?? "")}{}${layoutOf(text ?? "").eol}`, before: made }, at, value);
    }
    const [mark, json] = [markOf(text), withoutMark(text)];
    const edit = setIn(json, rootOf(json), at, value, before);
    return { text: mark + edit.text, before: edit.before };
  }

  function setIn(text: string, root: Node, at: KeyPath, value: JsonValue, before: Before) {
    const layout = layoutOf(text);
    let object = root;
    for (const [depth, name] of at.entries()) {
      const property = propertyOf(object, name);
      const last = depth === at.length - 1;
      if (property === undefined) {
        const place = textOfPath(at.slice(0, depth));
        const noted = new Map(before);
        const was = textOf(object, text);
        if (!noted.has(place) && isBlank(was.slice(1, -1))) noted.set(place, was);
        for (let deeper = depth + 1; deeper < at.length; deeper++) noted.set(textOfPath(at.slice(0, deeper)), null);
        const whole = at.slice(depth + 1).reduceRight<JsonValue>((inner, part) => ({ [part]: inner }), value);
        const scanner = jsonc.createScanner(text);
        return { text: insertKey({ text, object, root, scanner }, name, whole, layout), before: noted };
      }
      if (!last) object = property.children![1]!;
      else return { text: replaced(text, property, value, layout), before };
    }
    return { text, before };
  }

  function remove({ text, before }: KeyedText, at: KeyPath): KeyedText {
    if (text === undefined) return { text, before };
    const [mark, json] = [markOf(text), withoutMark(text)];
    const objects = [rootOf(json)];
    for (const name of at.slice(0, -1)) objects.push(propertyOf(objects.at(-1)!, name)!.children![1]!);
    const object = objects.at(-1)!;
    const scanner = jsonc.createScanner(json);
    const shorter = removeProperty({ text: json, object, root: objects[0]!, scanner }, propertyOf(object, at.at(-1)!)!);
    return tidied({ text: mark + shorter, before }, at.slice(0, -1));
  }

  /** An object that our last key has left goes back to what it was before the first. */
  function tidied({ text, before }: KeyedText, at: KeyPath): KeyedText {
    const [mark, json] = [markOf(text!), withoutMark(text!)];
    const place = textOfPath(at);
    const root = rootOf(json);
    const object = at.reduce((node, name) => propertyOf(node, name)!.children![1]!, root);
    const was = before.get(place);
    const end = object.offset + object.length;
    if (was === undefined || object.children!.length > 0 || !isBlank(json.slice(object.offset + 1, end - 1)))
      return { text: text!, before };
    const forgotten = new Map([...before].filter(([known]) => known !== place));
    if (was !== null && was.trim() !== "")
      return { text: mark + json.slice(0, object.offset) + was + json.slice(end), before: forgotten };
    if (at.length > 0) return remove({ text: text!, before: forgotten }, at);
    if (isBlank(json.slice(0, object.offset) + json.slice(end)))
      return { text: was === null ? undefined : mark + was, before: forgotten };
    return { text: text!, before };
  }
}

function look(text: string, jsonc: ReturnType<KeyLibraries["jsonc"]>): Looked {
  if (isBlank(text)) return { valueAt: () => ({}) };
  const errors: ParseError[] = [];
  const root = parsed();
  if (root === undefined || errors.length > 0)
    return { problem: `line ${lineOf(text, errors[0]?.offset)} isn't valid JSON` };
  if (root.type !== "object") return { problem: "it holds no object" };
  const twice = (at: KeyPath) => twiceOn(root, at);
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

function find(root: Node, at: KeyPath): Found {
  let node = root;
  for (const [depth, name] of at.entries()) {
    if (node.type !== "object") return { blocked: at.slice(0, depth) };
    const property = propertyOf(node, name);
    if (property === undefined) return {};
    node = property.children![1]!;
  }
  return { json: jsonOfNode(node) };
}

/** Readers differ about which of two equal keys counts: neither is ours to change. */
function twiceOn(root: Node, at: KeyPath): Found | undefined {
  let node: Node | undefined = root;
  for (const [depth, name] of at.entries()) {
    const named: Node[] = (node.children ?? []).filter((child) => isNamed(child, name));
    if (named.length > 1) return { blocked: at.slice(0, depth + 1) };
    node = named[0]?.children?.[1];
    if (node === undefined) return undefined;
  }
  return undefined;
}

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

function textOf(node: Node, text: string): string {
  return text.slice(node.offset, node.offset + node.length);
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
