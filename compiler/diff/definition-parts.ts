import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { stableText } from "../base/stable-text.ts";
import type { Tool } from "../3-plan/types.ts";
import { part, type DefinitionPart } from "./definition-part.ts";
import { saidParts } from "./said-parts.ts";

/** More than a person reads; a stranger's schema may have any number of them. */
const MOST = 40;
/** Deeper down a schema is only said to have changed. */
const DEEPEST = 8;

/** What a model reads (`text`), what a call must look like (`schema`), what the tool says it does (`hints`). */
export function definitionParts(was: Tool, now: Tool): DefinitionPart[] {
  if (was.digest === null && now.digest === null) return saidParts(was, now);
  if (was.digest === null || now.digest === null) return [];
  const [one, other] = [was.texts(), now.texts()];
  const parts: DefinitionPart[] = saidParts(was, now);
  const text = (what: string, before = "", after = ""): void => {
    if (before !== after) parts.push({ part: "text", says: `its ${what} changed`, before, after });
  };
  const schema = (before: string, after: string, side: Side): void => {
    if (before === after) return;
    const found = schemaParts(parsed(before), parsed(after), side, []);
    const more = found.length - MOST;
    parts.push(...(found.length > 0 ? found.slice(0, MOST) : [part("schema", `${side.whole} changed`, before, after)]));
    if (more > 0) parts.push(part("schema", `${more} more of ${side.whole} changed`, before, after));
  };
  schema(one.inputSchema, other.inputSchema, ARGUMENTS);
  schema(one.outputSchema ?? "null", other.outputSchema ?? "null", RESULT);
  text("title", one.title, other.title);
  text("description", one.description, other.description);
  return parts;
}

/** What a schema is of: a caller has to give arguments, and is given a result. */
interface Side {
  readonly whole: string;
  readonly named: (name: string) => string;
  readonly isNeeded: (name: string, isKnown: boolean) => string;
  readonly isNew: (name: string) => string;
  readonly isGone: (name: string) => string;
}

const ARGUMENTS: Side = {
  whole: "its arguments",
  named: (name) => name,
  isNeeded: (name, isKnown) => `it needs ${isKnown ? "" : "the new argument "}${name} now`,
  isNew: (name) => `it takes the new argument ${name}`,
  isGone: (name) => `it takes no ${name} any more`,
};

const ofResult = (name: string): string => `${name} of its result`;

const RESULT: Side = {
  whole: "its result",
  named: ofResult,
  isNeeded: (name, isKnown) => `${ofResult(name)} is ${isKnown ? "" : "new and "}required now`,
  isNew: (name) => `${ofResult(name)} is new`,
  isGone: (name) => `${ofResult(name)} is gone`,
};

function parsed(text: string): JsonValue {
  return JSON.parse(text) as JsonValue;
}

/** What people read in a schema, and no validator does. */
const TEXTS = new Set(["title", "description", "$comment", "examples"]);
/** Told by the arguments that they are about. */
const TOLD_APART = new Set(["properties", "required", "enum", "items"]);

function schemaParts(was: JsonValue, is: JsonValue, side: Side, path: readonly string[]): DefinitionPart[] {
  if (stableText(was) === stableText(is)) return [];
  const name = nameOf(side, path);
  if (!isObject(was) || !isObject(is) || path.length > DEEPEST) return [part("schema", `${name} changed`, was, is)];
  const keys = sorted(new Set([...Object.keys(was), ...Object.keys(is)])).filter((key) => !TOLD_APART.has(key));
  return [
    ...requiredParts(was, is, side, path),
    ...enumParts(was, is, name),
    ...keys.flatMap((key) => keywordPart(key, own(was, key), own(is, key), name)),
    ...propertyParts(was, is, side, path),
    ...below(own(was, "items"), own(is, "items"), side, [...path, "[]"]),
  ];
}

function nameOf(side: Side, path: readonly string[]): string {
  return path.length === 0 ? side.whole : side.named(codeOf(path));
}

function codeOf(path: readonly string[]): string {
  return `\`${path.join(".").replaceAll(".[]", "[]")}\``;
}

function below(
  was: JsonValue | undefined,
  is: JsonValue | undefined,
  side: Side,
  path: readonly string[],
): DefinitionPart[] {
  return was === undefined && is === undefined ? [] : schemaParts(was ?? true, is ?? true, side, path);
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

function requiredParts(was: JsonObject, is: JsonObject, side: Side, path: readonly string[]): DefinitionPart[] {
  const [had, has] = [listAt(was, "required") ?? [], listAt(is, "required") ?? []];
  const inner = (one: JsonValue): string => codeOf([...path, String(one)]);
  const properties = own(was, "properties");
  const isKnown = (one: JsonValue): boolean => isObject(properties) && Object.hasOwn(properties, String(one));
  const [known, still] = [new Set(had), new Set(has)];
  const needed = has.filter((one) => !known.has(one));
  const free = had.filter((one) => !still.has(one));
  const found = [
    ...needed.map((one) => part("schema", side.isNeeded(inner(one), isKnown(one)), "optional", "required")),
    ...free
      .filter((one) => hasProperty(is, one))
      .map((one) => part("schema", `${side.named(inner(one))} may be left out now`, "required", "optional")),
  ];
  const isSaid =
    found.length > 0 ||
    free.length > 0 ||
    stableText([...had].map(String).sort()) === stableText([...has].map(String).sort());
  return isSaid
    ? found
    : [part("schema", `the \`required\` of ${nameOf(side, path)} changed`, had as JsonValue, has as JsonValue)];
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

function propertyParts(was: JsonObject, is: JsonObject, side: Side, path: readonly string[]): DefinitionPart[] {
  const [had, has] = [own(was, "properties"), own(is, "properties")].map((one) => (isObject(one) ? one : {}));
  const names = sorted(new Set([...Object.keys(had!), ...Object.keys(has!)]));
  const needed = new Set(listAt(is, "required"));
  return names.flatMap((name): DefinitionPart[] => {
    const inner = [...path, name];
    const [before, after] = [own(had!, name), own(has!, name)];
    const said = codeOf(inner);
    if (before === undefined) return needed.has(name) ? [] : [part("schema", side.isNew(said), undefined, after)];
    if (after === undefined) return [part("schema", side.isGone(said), before, undefined)];
    return schemaParts(before, after, side, inner);
  });
}
