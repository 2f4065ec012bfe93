import type { Stretch } from "../../../base/place.ts";

/** A value as it was written, and where. */
export interface TomlNode {
  /** Undefined: nowhere as a whole, as for a table that a header or a dotted key makes. */
  readonly range: Stretch | undefined;
  /** The key that it stands behind, in a header or before an `=`; an item of a list has none. */
  readonly key: Stretch | undefined;
  readonly content: TomlScalar | TomlList | TomlTable;
}

export interface TomlScalar {
  readonly kind: "scalar";
  readonly value: string | number | boolean;
}

export interface TomlList {
  readonly kind: "list";
  /** By `[[headers]]`, and so it may grow; else it was written as a whole. */
  readonly grows: boolean;
  readonly items: TomlNode[];
}

export interface TomlTable {
  readonly kind: "table";
  /**
   * What made it, which says who may add to it: `whole` in braces nobody; `header` and `dotted` no second header;
   * `between` is a table on the way of a header, which may still get its own.
   */
  made: "header" | "between" | "dotted" | "whole";
  readonly entries: Map<string, TomlNode>;
}

export function tableNode(
  made: TomlTable["made"],
  key: Stretch | undefined,
): TomlNode & { readonly content: TomlTable } {
  return { range: undefined, key, content: { kind: "table", made, entries: new Map() } };
}
