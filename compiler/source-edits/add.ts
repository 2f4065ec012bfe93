import type { JsonValue } from "../base/json.ts";
import type { KeyPath } from "../base/place.ts";
import type { Found } from "./find.ts";
import {
  behindLine,
  blockItem,
  flowItem,
  indentAt,
  lineStart,
  spansOf,
  type Collection,
  type NewItem,
} from "./spans.ts";
import type { Splice, YamlLibrary } from "./types.ts";

interface Text {
  readonly file: string;
  readonly text: string;
  readonly yaml: YamlLibrary;
}

/** A new last entry or item. */
export function addSplices(
  { node, rest, depth, keys }: Found,
  { value }: { readonly value: JsonValue },
  about: Text,
): Splice[] {
  const { text, file, yaml } = about;
  if (yaml.isMap(node) || yaml.isSeq(node)) {
    if (node.flow) return addToFlow(node, flowItem(itemOf(rest, value, depth), file), about);
    const spans = spansOf(node, yaml);
    const lines = newLines(rest, value, depth, indentAt(text, spans[0]!.start));
    return [insertedBehind(text, spans.at(-1)!.end, depth === 0 && rest.length > 1 ? `\n${lines}` : lines)];
  }
  const above = keys.at(-1);
  if (above === undefined) return [insertedBehind(text, text.length, newLines(rest, value, depth, ""))];
  const indent = `${indentAt(text, above.range![0])}  `;
  return [insertedBehind(text, above.range![1], newLines(rest, value, depth, indent))];
}

/** In a map with entries on lines of their own, maps that are made for it are written so too. */
function newLines(rest: KeyPath, value: JsonValue, depth: number, indent: string): string {
  const [key, ...more] = rest;
  if (more.length === 0) return blockItem(itemOf(rest, value, depth), indent);
  const name = blockItem({ key: String(key), value: 0, isDeclaration: false }, indent).slice(0, -": 0".length);
  return `${name}:\n${newLines(more, value, depth + 1, `${indent}  `)}`;
}

function itemOf([key, ...more]: KeyPath, value: JsonValue, depth: number): NewItem {
  const whole = more.reduceRight<JsonValue>((inner, step) => ({ [step]: inner }), value);
  return { key: key === undefined ? undefined : String(key), value: whole, isDeclaration: depth === 1 };
}

/** As lines of their own, below the line that ends there. The last line of a file without a line break stays without. */
function insertedBehind(text: string, offset: number, lines: string): Splice {
  const at = behindLine(text, offset);
  const isOpen = at === text.length && at > 0 && text[at - 1] !== "\n";
  return { start: at, end: at, text: isOpen ? `\n${lines}` : `${lines}\n` };
}

function addToFlow(node: Collection, entry: string, { text, yaml }: Text): Splice[] {
  const [open, close] = [node.range![0] + 1, node.range![1] - 1];
  const last = spansOf(node, yaml).at(-1);
  if (last === undefined) {
    const isEmpty = text.slice(open, close).trim() === "";
    const space = yaml.isMap(node) ? " " : "";
    if (isEmpty) return [{ start: open, end: close, text: space + entry + space }];
    return [{ start: open, end: open, text: ` ${entry}` }];
  }
  const { start, end } = last;
  const comma = /^(?:\s|(?<=\s)#[^\n]*\n)*,/.exec(text.slice(end, close))?.[0];
  const behind = end + (comma?.length ?? 0);
  const lineEnd = text.indexOf("\n", behind);
  const beginsLine = text.slice(lineStart(text, start), start).trim() === "";
  const isLast = lineEnd !== -1 && lineEnd < close && /^[ \t]*(?:#.*)?$/.test(text.slice(behind, lineEnd));
  if (!beginsLine || !isLast) return [{ start: end, end, text: `, ${entry}` }];
  const indent = text.slice(lineStart(text, start), start);
  return [
    ...(comma === undefined ? [{ start: end, end, text: "," }] : []),
    { start: lineEnd, end: lineEnd, text: `\n${indent}${entry}${comma === undefined ? "" : ","}` },
  ];
}
