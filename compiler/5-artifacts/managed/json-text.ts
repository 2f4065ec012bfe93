import type { Node } from "jsonc-parser";
import type { JsonValue } from "../../base/json.ts";
import { visibleJson } from "../../base/visible.ts";

/** How a file is laid out: what we add looks like the rest of it. */
export interface Layout {
  readonly unit: string;
  readonly eol: string;
}

export function layoutOf(text: string): Layout {
  return {
    unit: shortest(text.match(/^[ \t]+(?=["/])/gm) ?? ["  "]),
    eol: /\r?\n/.exec(text)?.[0] ?? "\n",
  };
}

/** Keys and comments of the outermost object stand one step in, wherever they are. */
function shortest(indents: readonly string[]): string {
  return indents.reduce((least, indent) => (indent.length < least.length ? indent : least));
}

/** In the value's own order. `indent`: of the line that it begins in; undefined: all in one line. */
export function printed(value: JsonValue, indent: string | undefined, { unit, eol }: Layout): string {
  const lines = visibleJson(JSON.stringify(value, undefined, 1)).split("\n");
  if (indent === undefined) return lines.map((line) => line.trimStart()).reduce(joinedInline);
  return lines.map((line, i) => (i === 0 ? line : indent + indented(line, unit))).join(eol);
}

/** One space of `JSON.stringify` for each level. */
function indented(line: string, unit: string): string {
  const text = line.trimStart();
  return unit.repeat(line.length - text.length) + text;
}

function joinedInline(before: string, line: string): string {
  return before + (before.endsWith(",") ? " " : "") + line;
}

/** The value as JSON text without spaces: no key gets lost, as `__proto__` would, and none changes its place. */
export function jsonOfNode(node: Node): string {
  const children = node.children ?? [];
  if (node.type === "object") return `{${children.map(jsonOfNode).join(",")}}`;
  if (node.type === "array") return `[${children.map(jsonOfNode).join(",")}]`;
  if (node.type === "property") return `${JSON.stringify(children[0]!.value)}:${jsonOfNode(children[1]!)}`;
  return JSON.stringify(node.value);
}
