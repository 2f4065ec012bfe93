import { isObject, type JsonValue } from "../../base/json.ts";
import { visibleInQuotes } from "../../base/visible.ts";

/** A key at the top with its value, ending in a line break. Lists and maps are written line by line. */
export function entryText(key: string, value: JsonValue, eol: string): string {
  return linesOf({ [key]: value })
    .map((line) => line + eol)
    .join("");
}

function linesOf(value: JsonValue): string[] {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((item) => {
      if (!isOpen(item)) return [`- ${flat(item)}`];
      const [first = "", ...more] = linesOf(item);
      return [`- ${first}`, ...more.map((line) => `  ${line}`)];
    });
  return Object.entries(value as object as Record<string, JsonValue>).flatMap(([key, inner]) =>
    isOpen(inner) ? [`${flat(key)}:`, ...linesOf(inner).map((line) => `  ${line}`)] : [`${flat(key)}: ${flat(inner)}`],
  );
}

function isOpen(value: JsonValue): boolean {
  return (Array.isArray(value) || isObject(value)) && Object.keys(value).length > 0;
}

/** Words that nothing takes for more than words. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_./-]*(?:\([A-Za-z0-9_, -]*\))?(?: [A-Za-z0-9_./-]+)*$/;
/** Of YAML 1.1 and 1.2: some reader takes them for a truth, nothing or a number. */
const TAKEN = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function flat(value: JsonValue): string {
  if (typeof value === "string") return PLAIN.test(value) && !TAKEN.test(value) ? value : quoted(value);
  return JSON.stringify(value);
}

/** What JSON escapes, YAML reads alike; what it leaves as it is and nobody sees is escaped as YAML has it. */
function quoted(text: string): string {
  return visibleInQuotes(JSON.stringify(text));
}
