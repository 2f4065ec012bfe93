import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Tool } from "../3-plan/types.ts";

export type DefinitionPartName = "text" | "schema" | "hints";

/** One thing of a tool's definition that is another. */
export interface DefinitionPart {
  readonly part: DefinitionPartName;
  /** A sentence about the tool; names of strangers stand in it: whoever shows it makes it harmless. */
  readonly says: string;
  readonly before: string;
  readonly after: string;
}

/** More than a person reads; a stranger's schema may have any number of them. */
const MOST = 40;
/** Deeper down a schema is only said to have changed. */
const DEEPEST = 8;

const HINTS = ["readOnly", "destructive", "idempotent", "openWorld"] as const;

/** What a model reads (`text`), what a call must look like (`schema`), what the tool says it does (`hints`). */
export function definitionParts(was: Tool, now: Tool): DefinitionPart[] {
  if (was.digest === null && now.digest === null) return saidParts(was, now);
  if (was.digest === null || now.digest === null) return [];
  const [one, other] = [was.texts(), now.texts()];
  const parts = saidParts(was, now);
  const text = (what: string, before = "", after = ""): void => {
    if (before !== after) parts.push({ part: "text", says: `its ${what} changed`, before, after });
  };
  const schema = (before: string, after: string, whole: string): void => {
    if (before === after) return;
    const found = schemaParts(parsed(before), parsed(after), whole, []);
    const more = found.length - MOST;
    parts.push(...(found.length > 0 ? found.slice(0, MOST) : [part("schema", `${whole} changed`, before, after)]));
    if (more > 0) parts.push(part("schema", `${more} more of ${whole} changed`, before, after));
  };
  schema(one.inputSchema, other.inputSchema, "its arguments");
  schema(one.outputSchema ?? "null", other.outputSchema ?? "null", "its result");
  text("title", one.title, other.title);
  text("description", one.description, other.description);
  return parts;
}

/** Its hints and labels, whoever said them. */
function saidParts(was: Tool, now: Tool): DefinitionPart[] {
  const parts: DefinitionPart[] = [];
  for (const hint of HINTS) {
    const [before, after] = [String(was.hints[hint]), String(now.hints[hint])];
    if (before === after) continue;
    // The author's own word stands over the server's.
    const who = now.hintsSaid[0]?.[hint] === now.hints[hint] ? "the server now claims" : "it now counts as";
    parts.push({ part: "hints", says: `${who} \`${hint}\`: ${after} (before: ${before})`, before, after });
  }
  const [before, after] = [was, now].map(({ labels }) => sorted(labels).join(", ")) as [string, string];
  const [had, has] = [before, after].map((labels) => (labels === "" ? "none" : labels));
  if (before !== after)
    parts.push({ part: "hints", says: `its labels are now: ${has} (before: ${had})`, before, after });
  return parts;
}

function parsed(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

function part(name: DefinitionPartName, says: string, before: JsonValue | undefined, after: JsonValue | undefined) {
  return { part: name, says, before: written(before), after: written(after) };
}

function written(value: JsonValue | undefined): string {
  return value === undefined ? "" : typeof value === "string" ? value : stableText(value);
}

/** What people read in a schema, and no validator does. */
const TEXTS = new Set(["title", "description", "$comment", "examples"]);
/** Told by the arguments that they are about. */
const TOLD_APART = new Set(["properties", "required", "enum", "items"]);

function schemaParts(was: JsonValue, is: JsonValue, whole: string, path: readonly string[]): DefinitionPart[] {
  if (stableText(was) === stableText(is)) return [];
  const name = path.length === 0 ? whole : `\`${path.join(".").replaceAll(".[]", "[]")}\``;
  if (!isObject(was) || !isObject(is) || path.length > DEEPEST) return [part("schema", `${name} changed`, was, is)];
  const keys = sorted(new Set([...Object.keys(was), ...Object.keys(is)])).filter((key) => !TOLD_APART.has(key));
  return [
    ...requiredParts(was, is, name, path),
    ...enumParts(was, is, name),
    ...keys.flatMap((key) => keywordPart(key, own(was, key), own(is, key), name)),
    ...propertyParts(was, is, whole, path),
    ...below(own(was, "items"), own(is, "items"), whole, [...path, "[]"]),
  ];
}

function below(
  was: JsonValue | undefined,
  is: JsonValue | undefined,
  whole: string,
  path: readonly string[],
): DefinitionPart[] {
  return was === undefined && is === undefined ? [] : schemaParts(was ?? true, is ?? true, whole, path);
}

function keywordPart(
  key: string,
  was: JsonValue | undefined,
  is: JsonValue | undefined,
  name: string,
): DefinitionPart[] {
  if (stableText(was ?? null) === stableText(is ?? null) && (was === undefined) === (is === undefined)) return [];
  if (TEXTS.has(key)) return [part("text", `the ${key} of ${name} changed`, was, is)];
  const isShort = [was, is].every((one) => one === undefined || stableText(one).length <= 60);
  const [before, after] = [was, is].map((one) => (one === undefined ? "not said" : stableText(one)));
  return [
    part(
      "schema",
      isShort ? `${name}: \`${key}\` is ${after} now (before: ${before})` : `${name}: \`${key}\` changed`,
      was,
      is,
    ),
  ];
}

function listAt(schema: JsonObject, key: string): readonly JsonValue[] | undefined {
  const list = own(schema, key);
  return Array.isArray(list) ? list : undefined;
}

function requiredParts(was: JsonObject, is: JsonObject, name: string, path: readonly string[]): DefinitionPart[] {
  const [had, has] = [listAt(was, "required") ?? [], listAt(is, "required") ?? []];
  const inner = (one: JsonValue): string => [...path, String(one)].join(".").replaceAll(".[]", "[]");
  const properties = own(was, "properties");
  const isKnown = (one: JsonValue): boolean => isObject(properties) && Object.hasOwn(properties, String(one));
  const [known, still] = [new Set(had), new Set(has)];
  const needed = has.filter((one) => !known.has(one));
  const free = had.filter((one) => !still.has(one));
  const found = [
    ...needed.map((one) =>
      part(
        "schema",
        `it needs ${isKnown(one) ? "" : "the new argument "}\`${inner(one)}\` now`,
        "optional",
        "required",
      ),
    ),
    ...free
      .filter((one) => hasProperty(is, one))
      .map((one) => part("schema", `\`${inner(one)}\` may be left out now`, "required", "optional")),
  ];
  const isSaid =
    found.length > 0 ||
    free.length > 0 ||
    stableText([...had].map(String).sort()) === stableText([...has].map(String).sort());
  return isSaid ? found : [part("schema", `what ${name} needs changed`, had as JsonValue, has as JsonValue)];
}

function hasProperty(schema: JsonObject, name: JsonValue): boolean {
  const properties = own(schema, "properties");
  return isObject(properties) && Object.hasOwn(properties, String(name));
}

function enumParts(was: JsonObject, is: JsonObject, name: string): DefinitionPart[] {
  const [had, has] = [listAt(was, "enum"), listAt(is, "enum")];
  if (had === undefined && has === undefined) return [];
  if (had === undefined) return [part("schema", `${name} is one of ${values(has!)} now`, undefined, has as JsonValue)];
  if (has === undefined)
    return [part("schema", `${name} is any value now (before: one of ${values(had)})`, had as JsonValue, undefined)];
  const [known, still] = [new Set(had.map(stableText)), new Set(has.map(stableText))];
  const more = has.filter((one) => !known.has(stableText(one)));
  const gone = had.filter((one) => !still.has(stableText(one)));
  return [
    ...(more.length > 0
      ? [part("schema", `${name} may be ${values(more)} too`, had as JsonValue, has as JsonValue)]
      : []),
    ...(gone.length > 0
      ? [part("schema", `${name} may not be ${values(gone)} any more`, had as JsonValue, has as JsonValue)]
      : []),
  ];
}

const MOST_VALUES = 6;

function values(list: readonly JsonValue[]): string {
  const shown = list.slice(0, MOST_VALUES).map((one) => `\`${stableText(one)}\``);
  return shown.join(", ") + (list.length > MOST_VALUES ? ` and ${list.length - MOST_VALUES} more` : "");
}

function propertyParts(was: JsonObject, is: JsonObject, whole: string, path: readonly string[]): DefinitionPart[] {
  const [had, has] = [own(was, "properties"), own(is, "properties")].map((one) => (isObject(one) ? one : {}));
  const names = sorted(new Set([...Object.keys(had!), ...Object.keys(has!)]));
  const needed = new Set(listAt(is, "required"));
  return names.flatMap((name): DefinitionPart[] => {
    const inner = [...path, name];
    const [before, after] = [own(had!, name), own(has!, name)];
    const said = `\`${inner.join(".").replaceAll(".[]", "[]")}\``;
    if (before === undefined)
      return needed.has(name) ? [] : [part("schema", `it takes the new argument ${said}`, undefined, after)];
    if (after === undefined) return [part("schema", `it takes no ${said} any more`, before, undefined)];
    return schemaParts(before, after, whole, inner);
  });
}
