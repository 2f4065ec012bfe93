import { isInvisible } from "../../base/visible.ts";
import type { Entry } from "./types.ts";

/**
 * The plain part of YAML in which most headers are written, ours included: keys at the start of a line with a word, a
 * number, a text in quotes or a list of these. Undefined the moment anything else is there: then the `yaml` package
 * reads all of it, which takes longer to load than a build.
 */
export function plainEntries(header: string): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  let offset = 0;
  let list: { readonly key: string; readonly start: number; end: number; readonly items: string[] } | undefined;
  const endList = () => {
    if (list) entries.push({ key: list.key, start: list.start, end: list.end, json: `[${list.items.join(",")}]` });
    const sound = list === undefined || list.items.length > 0;
    list = undefined;
    return sound;
  };
  for (const line of header.split(/(?<=\n)/)) {
    const start = offset;
    offset += line.length;
    const text = line.replace(/\r?\n$/, "");
    if (isInvisible(text) || !line.endsWith("\n")) return line === "" ? entries : undefined;
    if (text === "" || text.startsWith("#")) continue;
    const item = /^ {2}- (.+)$/.exec(text)?.[1];
    if (item !== undefined) {
      const json = scalar(item);
      if (list === undefined || json === undefined) return undefined;
      list.items.push(json);
      list.end = offset;
      continue;
    }
    if (!endList()) return undefined;
    const [, key, value] = /^([A-Za-z_][A-Za-z0-9_-]*):(?: (.+))?$/.exec(text) ?? [];
    if (key === undefined || TAKEN.test(key) || entries.some((entry) => entry.key === key)) return undefined;
    if (value === undefined) {
      list = { key, start, end: offset, items: [] };
      continue;
    }
    const json = value === "[]" ? value : scalar(value);
    if (json === undefined) return undefined;
    entries.push({ key, start, end: offset, json });
  }
  return endList() ? entries : undefined;
}

const TAKEN = /^(?:true|false|null)$/i;
const WORDS = /^[A-Za-z_][A-Za-z0-9_./(),;!?'+=-]*(?: [A-Za-z0-9_./(),;!?'+=-]+)*$/;
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,14})$/;
const QUOTED = /^"(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"$/;

/** As JSON text. */
function scalar(text: string): string | undefined {
  if (WHOLE_NUMBER.test(text) || /^(?:true|false|null)$/.test(text)) return text;
  if (QUOTED.test(text)) return JSON.stringify(JSON.parse(text));
  return WORDS.test(text) && !TAKEN.test(text) ? JSON.stringify(text) : undefined;
}
