import { codeCell } from "../../../base/visible.ts";

/** Text as code outside of a table: the same, without the escapes that only cells need. */
export function code(text: string): string {
  return codeCell(text).replaceAll("\\|", "|");
}

export function codes(texts: Iterable<string>): string {
  return [...texts].map(code).join(", ");
}

/** `1 tool`, `2 tools`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
