import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import type { KeyPath } from "../base/place.ts";
import type { SourceEdit } from "../source-edits/types.ts";

/** An entry of a role for one server, and what is to become of it. */
export interface EntryToTrim {
  readonly path: KeyPath;
  readonly value: JsonValue;
  /** By the rest of the path to a selector, as JSON: the held tools that it gives. */
  readonly matches: ReadonlyMap<string, readonly string[]>;
  readonly gone: readonly string[];
  readonly kept: readonly string[];
}

/**
 * Edits after which the entry gives what is kept and no more. A list of names says it best; where what goes is much shorter
 * than what stays, an `exclude` does. `whole`: what is removed where nothing stays. `extending`: without `extends` an
 * `exclude` alone gives everything else.
 */
export function trimEntry(entry: EntryToTrim, whole: KeyPath, extending: boolean): (readonly SourceEdit[])[] {
  const { path, value, kept } = entry;
  const gone: SourceEdit = { kind: "remove", path: whole };
  if (typeof value === "string") return kept.length === 0 ? [[gone]] : shortForm(entry, value);
  if (Array.isArray(value)) return listForm(entry, value, path, gone);
  if (!isObject(value)) return [];
  const restricts = ["exclude", "ask", "where"].some((key) => own(value, key) !== undefined);
  const include = own(value, "include");
  if (kept.length === 0 && !(extending && restricts)) return [[gone]];
  const unsaid = withoutNames(entry, value);
  if (include === undefined) return [[...unsaid, ...rest(entry, value)]];
  if (kept.length === 0) return [[{ kind: "remove", path: [...path, "include"] }, ...unsaid]];
  const items = Array.isArray(include) ? include : [];
  if (typeof include === "string")
    return [[...unsaid, { kind: "replace", path: [...path, "include"], value: sorted(kept) }]];
  return listForm(entry, items, [...path, "include"], gone).map((edits) => [...edits, ...unsaid]);
}

/** `all`, `read-only`. */
function shortForm({ path, gone, kept }: EntryToTrim, value: string): (readonly SourceEdit[])[] {
  const named: SourceEdit = { kind: "replace", path, value: sorted(kept) };
  if (kept.length <= gone.length) return [[named]];
  const include = [value === "all" ? "*" : "is:read-only"];
  return [[{ kind: "replace", path, value: { include, exclude: sorted(gone) } }], [named]];
}

/** What is given by leaving things out. */
function rest({ path, gone, kept }: EntryToTrim, value: JsonObject): SourceEdit[] {
  const exclude = own(value, "exclude");
  const at = [...path, "exclude"];
  if (kept.length < gone.length)
    return [
      ...(exclude === undefined ? [] : [{ kind: "remove", path: at } as const]),
      { kind: "add", path: [...path, "include"], value: sorted(kept) },
    ];
  return excluding(at, gone, exclude);
}

function excluding(at: KeyPath, names: readonly string[], exclude: JsonValue | undefined): SourceEdit[] {
  if (exclude === undefined) return [{ kind: "add", path: at, value: sorted(names) }];
  if (Array.isArray(exclude)) return sorted(names).map((value) => ({ kind: "append", path: at, value }));
  return [{ kind: "replace", path: at, value: [exclude, ...sorted(names)] }];
}

function listForm(
  entry: EntryToTrim,
  items: readonly JsonValue[],
  at: KeyPath,
  whole: SourceEdit,
): (readonly SourceEdit[])[] {
  const { gone, kept, matches, path } = entry;
  if (kept.length === 0) return [[whole]];
  const going = new Set(gone);
  const found = items.map((_, i) => matches.get(JSON.stringify([...at.slice(path.length), i])) ?? []);
  const mixed = found.flatMap((tools, i) =>
    tools.some((tool) => going.has(tool)) && tools.some((tool) => !going.has(tool)) ? [i] : [],
  );
  const useless = found.flatMap((tools, i) => (tools.length > 0 && tools.every((tool) => going.has(tool)) ? [i] : []));
  const removals = useless.toReversed().map((i): SourceEdit => ({ kind: "remove", path: [...at, i] }));
  if (mixed.length === 0) return [removals];
  const stays = new Set(found.flatMap((tools, i) => (mixed.includes(i) || useless.includes(i) ? [] : tools)));
  const names = sorted(new Set(mixed.flatMap((i) => found[i]!).filter((tool) => !going.has(tool) && !stays.has(tool))));
  const named = namedItems({ at, mixed, useless, names });
  const left = sorted(new Set(mixed.flatMap((i) => found[i]!).filter((tool) => going.has(tool))));
  if (names.length <= left.length) return [named];
  return [[...removals, ...excludingBeside(entry, items, useless, left)], named];
}

/** The names in place of the selectors that said too much: the first of them where the selector stood. */
function namedItems(list: {
  readonly at: KeyPath;
  readonly mixed: readonly number[];
  readonly useless: readonly number[];
  readonly names: readonly string[];
}): SourceEdit[] {
  const { at, mixed, useless, names } = list;
  const [first, ...others] = mixed;
  const replaced = names.length === 0 ? [] : [first!];
  const removed = [...useless, ...others, ...(names.length === 0 ? [first!] : [])].sort((a, b) => b - a);
  return [
    ...replaced.map((i): SourceEdit => ({ kind: "replace", path: [...at, i], value: names[0]! })),
    ...names.slice(1).map((value): SourceEdit => ({ kind: "append", path: at, value })),
    ...removed.map((i): SourceEdit => ({ kind: "remove", path: [...at, i] })),
  ];
}

function excludingBeside(
  { path, value }: EntryToTrim,
  items: readonly JsonValue[],
  useless: readonly number[],
  names: readonly string[],
): SourceEdit[] {
  if (isObject(value)) return excluding([...path, "exclude"], names, own(value, "exclude"));
  const include = items.filter((_, i) => !useless.includes(i));
  return [{ kind: "replace", path, value: { include, exclude: names } }];
}

/** `ask` and `where` may name only what is held. */
function withoutNames({ path, gone }: EntryToTrim, value: JsonObject): SourceEdit[] {
  const going = new Set<JsonValue>(gone);
  const ask = own(value, "ask");
  const asked = Array.isArray(ask) ? (ask as readonly JsonValue[]) : [];
  const isNamed = asked.map((item) => going.has(nameIn(item)));
  const where = own(value, "where");
  const keys = isObject(where) ? Object.keys(where) : [];
  const goneKeys = keys.filter((key) => going.has(key));
  return [
    ...(asked.length > 0 && isNamed.every((one) => one)
      ? [{ kind: "remove", path: [...path, "ask"] } as const]
      : asked
          .flatMap((_, i) => (isNamed[i] ? [i] : []))
          .toReversed()
          .map((i) => ({ kind: "remove", path: [...path, "ask", i] }) as const)),
    ...(keys.length > 0 && goneKeys.length === keys.length
      ? [{ kind: "remove", path: [...path, "where"] } as const]
      : goneKeys.map((key) => ({ kind: "remove", path: [...path, "where", key] }) as const)),
  ];
}

function nameIn(item: JsonValue): JsonValue {
  return isObject(item) ? (own(item, "optional") ?? null) : item;
}
