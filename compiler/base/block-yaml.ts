import { flowYaml } from "./flow-yaml.ts";
import { isObject, type JsonObject, type JsonValue } from "./json.ts";

/** As formatters break lines where nothing else is said. */
const WIDTH = 80;

/** A source as one writes it by hand: each declaration on lines of its own, and what fits on a line below its key stands on one. */
export function sourceYaml(blocks: JsonObject): string {
  const sections = Object.entries(blocks).map(([block, held]) => `${block}:\n${lines(held, "  ", true).join("\n")}\n`);
  return sections.join("\n");
}

function lines(value: JsonValue, indent: string, isDeclaration: boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => itemLines(item, indent));
  if (!isObject(value)) return [indent + flowYaml(value)];
  return Object.entries(value).flatMap(([key, held]) => entryLines(key, held, indent, isDeclaration));
}

/** `key: value`, on as many lines as it takes. */
export function entryLines(key: string, held: JsonValue, indent: string, isDeclaration: boolean): string[] {
  const flow = flowYaml({ [key]: held }).slice(2, -2);
  const fits = indent.length + flow.length <= WIDTH;
  const isSpread = isDeclaration && isObject(held) && Object.keys(held).length > 1;
  if (!isContainer(held) || (fits && !isSpread)) return [indent + flow];
  const name = flowYaml({ [key]: null }).slice(2, -8);
  return [`${indent}${name}:`, ...lines(held, `${indent}  `, false)];
}

export function itemLines(item: JsonValue, indent: string): string[] {
  const flow = flowYaml(item);
  if (!isObject(item) || indent.length + 2 + flow.length <= WIDTH) return [`${indent}- ${flow}`];
  const [first = "", ...rest] = lines(item, `${indent}  `, false);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

function isContainer(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
