import { visibleInQuotes, visibleJson } from "../../base/visible.ts";

/** What files of hosts are made of. */

export function jsonText(value: object): string {
  return `${visibleJson(JSON.stringify(value, undefined, 2))}\n`;
}

/** JSON's strings are TOML's basic strings, but for characters that JSON writes in two halves. */
export function tomlText(text: string): string {
  return visibleInQuotes(JSON.stringify(text));
}

/** A text in double quotes, in ASCII alone: YAML, TOML and CEL read it alike, whatever they take for a character. */
export function asciiText(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/gu, (char) => {
    const code = char.codePointAt(0)!.toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** Some lists are also read as text: a comma or a line break ends a name there, and white space around it is taken away. */
export const LISTED_APART = /[,\r\n]|^\s|\s$/;

/** A name as most hosts write it: what they don't take becomes `instead`. */
export function sanitised(name: string, instead: "_" | "-"): string {
  return name.replace(/[^A-Za-z0-9_-]/g, instead);
}

/** The same where a dash isn't taken either. */
export function underscored(name: string): string {
  return name.replace(/[^A-Za-z0-9_]/g, "_");
}

/** Without the keys that have no value. */
export function present(entries: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

/** Undefined instead of an empty map: most hosts need none. */
export function mapOf(entries: readonly (readonly [string, string])[]): Record<string, string> | undefined {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
