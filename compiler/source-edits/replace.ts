import type { JsonValue } from "../base/json.ts";
import { writingIn } from "../base/flow-yaml.ts";
import type { Found } from "./find.ts";
import { blockItem, indentAt, spansOf } from "./spans.ts";
import type { Splice, YamlLibrary } from "./types.ts";

/** Something else in its place; a comment behind it on its line stays. */
export function replaceSplices(
  { node, holder, index, keys }: Found,
  value: JsonValue,
  { file, text, yaml }: { readonly file: string; readonly text: string; readonly yaml: YamlLibrary },
): Splice[] {
  if (holder === undefined) return [];
  const { start, end } = spansOf(holder, yaml)[index]!;
  const isOneLine = node !== null && !text.slice(start, end).includes("\n");
  if (node !== null && (holder.flow || isOneLine))
    return [{ start: node.range![0], end, text: writingIn(file).value(value) }];
  const written = text.slice(0, end).trimEnd().length;
  const key = yaml.isMap(holder) ? String(keys.at(-1)!.value) : undefined;
  const lines = blockItem({ key, value, isDeclaration: false }, indentAt(text, start));
  return [{ start, end: written, text: lines.trimStart() }];
}
