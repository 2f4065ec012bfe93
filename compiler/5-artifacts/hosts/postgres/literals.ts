import type { JsonValue } from "../../../base/json.ts";

/**
 * Text as SQL, in ASCII alone: no setting of the server or of psql (encodings, standard_conforming_strings) gives it
 * another meaning. psql looks for its variables outside of quotes only.
 */
export function sqlText(text: string | undefined): string {
  if (text === undefined) return "null";
  const quoted = storable(text).replace(/[\\']/g, (char) => char + char);
  const plain = quoted.replace(/[^ -~]/gu, (char) => {
    const code = char.codePointAt(0)!;
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
  });
  return `${plain.includes("\\") ? "E" : ""}'${plain}'`;
}

/** The same of a value; only ever of what `isStorable` says that it can be. */
export function sqlJson(value: JsonValue): string {
  return sqlText(JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`));
}

/** PostgreSQL holds no U+0000. */
export function isStorable(text: string): boolean {
  return storable(text) === text;
}

function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
