import { type TomlCursor, fail, failTwice } from "./cursor.ts";
import type { Key } from "./keys.ts";
import { tableNode, type TomlList, type TomlNode, type TomlTable } from "./nodes.ts";

/** The table that `[a.b]` opens. */
export function openTable(c: TomlCursor, root: TomlTable, path: readonly Key[]): TomlTable {
  const [around, last] = walkHeader(c, root, path);
  const there = around.entries.get(last.name);
  if (there === undefined) return put(around, last, tableNode("header", last.at));
  if (there.content.kind !== "table" || there.content.made !== "between")
    return failTwice(c, last.name, last.at, there.key ?? last.at);
  there.content.made = "header";
  return there.content;
}

/** The table that `[[a.b]]` adds to a list. */
export function addTable(c: TomlCursor, root: TomlTable, path: readonly Key[]): TomlTable {
  const [around, last] = walkHeader(c, root, path);
  const there = around.entries.get(last.name);
  const added = tableNode("header", last.at);
  if (there === undefined) {
    const content: TomlList = { kind: "list", grows: true, items: [added] };
    around.entries.set(last.name, { range: undefined, key: last.at, content });
  } else if (there.content.kind === "list" && there.content.grows) there.content.items.push(added);
  else return failTwice(c, last.name, last.at, there.key ?? last.at);
  return added.content;
}

/** Of a list on the way its last table is meant. */
function walkHeader(c: TomlCursor, root: TomlTable, path: readonly Key[]): readonly [around: TomlTable, last: Key] {
  let around = root;
  for (const step of path.slice(0, -1)) {
    const there = around.entries.get(step.name);
    if (there === undefined) {
      around = put(around, step, tableNode("between", step.at));
      continue;
    }
    const content =
      there.content.kind === "list" && there.content.grows ? there.content.items.at(-1)!.content : there.content;
    if (content.kind !== "table" || content.made === "whole") return failClosed(c, step);
    around = content;
  }
  return [around, path.at(-1)!];
}

/** `a.b = ...` within a table. */
export function putValue(c: TomlCursor, table: TomlTable, path: readonly Key[], value: TomlNode): void {
  let around = table;
  for (const step of path.slice(0, -1)) {
    const there = around.entries.get(step.name);
    if (there === undefined) around = put(around, step, tableNode("dotted", step.at));
    else if (there.content.kind === "table" && there.content.made === "dotted") around = there.content;
    else return failClosed(c, step);
  }
  const last = path.at(-1)!;
  const there = around.entries.get(last.name);
  if (there !== undefined) return failTwice(c, last.name, last.at, there.key ?? last.at);
  around.entries.set(last.name, { ...value, key: last.at });
}

/** What stands in braces is finished with them, tables of dotted keys in it too. */
export function close(table: TomlTable): void {
  table.made = "whole";
  for (const { content } of table.entries.values()) if (content.kind === "table") close(content);
}

function put(around: TomlTable, { name }: Key, node: TomlNode & { readonly content: TomlTable }): TomlTable {
  around.entries.set(name, node);
  return node.content;
}

function failClosed(c: TomlCursor, { name, at }: Key): never {
  return fail(c, `nothing can be added to \`${name}\` here`, "write all of it in one place", ...at);
}
