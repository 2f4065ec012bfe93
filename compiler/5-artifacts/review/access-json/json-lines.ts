import { sorted } from "../../../base/order.ts";
import { visibleJson } from "../../../base/visible.ts";

/**
 * Printing JSON that is read in a diff: objects open over lines, what belongs together stays on one. Names come from
 * strangers, so whatever hides or reorders text is printed as its number.
 */

const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** A string as JSON. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : visibleJson(JSON.stringify(text));
}

/** A value on one line, with a space inside braces. `undefined` entries are left out; keys keep their order. */
export function inline(value: unknown): string {
  return onOneLine(value, (keys) => keys);
}

/** The same with keys sorted, for what an author may write in any order. */
export function inlineSorted(value: unknown): string {
  return onOneLine(value, sorted);
}

function onOneLine(value: unknown, order: (keys: string[]) => string[]): string {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(item, order)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = value as Readonly<Record<string, unknown>>;
  const keys = order(Object.keys(entries)).filter((key) => entries[key] !== undefined);
  return keys.length === 0
    ? "{}"
    : `{ ${keys.map((key) => `${quoted(key)}: ${onOneLine(entries[key], order)}`).join(", ")} }`;
}

export type Entry = readonly [name: string, text: string];

/** An object, one entry to a line. */
export function object(entries: readonly Entry[], indent: string): string {
  return block(
    "{",
    entries.map(([name, text]) => `${quoted(name)}: ${text}`),
    "}",
    indent,
  );
}

export function list(items: readonly string[], indent: string): string {
  return block("[", items, "]", indent);
}

/** `indent` is that of the line on which it opens. */
export function block(open: string, lines: readonly string[], close: string, indent: string): string {
  if (lines.length === 0) return open + close;
  const inner = `\n${indent}  `;
  return `${open}${inner}${lines.join(`,${inner}`)}\n${indent}${close}`;
}
