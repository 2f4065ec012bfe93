import { isObject, type JsonValue } from "./json.ts";
import { isInvisible, visibleInQuotes } from "./visible.ts";

/** A value as one writes it in a source, on one line: what YAML would read as something else stands in quotes. */
export function flowYaml(value: JsonValue): string {
  if (typeof value === "string") return flowText(value);
  if (Array.isArray(value)) return listText(value);
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, held]) => `${flowKey(key)}: ${flowYaml(held)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** A key with a colon is easily read as two. */
function flowKey(key: string): string {
  return key.includes(":") ? visibleInQuotes(JSON.stringify(key)) : flowText(key);
}

/** A list as one writes it in a source. */
export function listText(items: readonly JsonValue[]): string {
  return `[${items.map(flowYaml).join(", ")}]`;
}

/** How values are written in the file that is spoken of: advice for a JSON file is JSON. */
export interface Writing {
  readonly value: (value: JsonValue) => string;
  /** `key: value`, as it stands in a map. */
  readonly entry: (key: string, value: JsonValue) => string;
}

export function writingIn(file: string): Writing {
  const value = /\.json$/i.test(file) ? flowJson : flowYaml;
  return { value, entry: (key, held) => value({ [key]: held }).slice(2, -2) };
}

function flowJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(flowJson).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, held]) => `${JSON.stringify(key)}: ${flowJson(held)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** What YAML reads as this very text without quotes, in a list too. */
const PLAIN = /^[A-Za-z_./-](?:[\w./@=+-]|:(?=[\w*]))*$/;
/** What looks like text and is another value to a reader of YAML. */
const OTHER_VALUE = /^(?:true|false|null|[-.]|-[\d.].*|\.\d.*|-?\.(?:inf|nan)|---|\.\.\.)$/i;

export function flowText(text: string): string {
  if (PLAIN.test(text) && !OTHER_VALUE.test(text)) return text;
  return /["\\]/.test(text) && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text) && !isInvisible(text)
    ? `'${text.replaceAll("'", "''")}'`
    : visibleInQuotes(JSON.stringify(text));
}
