import { isObject, type JsonValue } from "../base/json.ts";
import { visibleInQuotes } from "../base/visible.ts";

/** A list or map as YAML, line by line. `quoted` writes what isn't plain; left out, what can be seen stays as it is. */
export function yamlLines(value: JsonValue, quoted: (text: string) => string = quotedText): string[] {
  const flat = (one: JsonValue) => (typeof one === "string" && !isPlain(one) ? quoted(one) : flatText(one));
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((item) => {
      if (!isOpen(item)) return [`- ${flat(item)}`];
      const [first = "", ...more] = yamlLines(item, quoted);
      return [`- ${first}`, ...indented(more, 2)];
    });
  return Object.entries(value as object as Record<string, JsonValue>).flatMap(([key, inner]) =>
    isOpen(inner) ? [`${flat(key)}:`, ...indented(yamlLines(inner, quoted), 2)] : [`${flat(key)}: ${flat(inner)}`],
  );
}

export function indented(lines: readonly string[], spaces: number): string[] {
  return lines.map((line) => " ".repeat(spaces) + line);
}

function isOpen(value: JsonValue): boolean {
  return (Array.isArray(value) || isObject(value)) && Object.keys(value).length > 0;
}

/** Words that nothing takes for more than words. */
const PLAIN = /^[A-Za-z_][A-Za-z0-9_./-]*(?:\([A-Za-z0-9_, -]*\))?(?: [A-Za-z0-9_./-]+)*$/;
/** Of YAML 1.1 and 1.2: some reader takes them for a truth, nothing or a number. */
const TAKEN = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !TAKEN.test(text) && !text.includes("---");
}

function flatText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * What JSON escapes, YAML reads alike; what it leaves as it is and nobody sees is escaped as YAML has it, and so is the
 * third of three dashes: some hosts end front matter there, wherever they stand.
 */
function quotedText(text: string): string {
  return visibleInQuotes(JSON.stringify(text)).replaceAll("---", "--\\u002d");
}
