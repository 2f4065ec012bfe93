import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { judgeOf, parseArgumentPath, type ArgumentStep } from "../../runtime/conditions.ts";
import type { ArgumentRule } from "../../runtime/contract.ts";
import type { Opening } from "./compare-rules.ts";
import { ANYTHING, examplesOf, passing, type Satisfies } from "./implies.ts";

/** What a tool's arguments were held against: the conditions, and the schema that names them. */
export interface HeldBefore {
  readonly rules: readonly ArgumentRule[];
  readonly schema: JsonValue;
}

/**
 * Arguments of one call that pass now and didn't before, as the runtime judges both. `before` undefined: the tool wasn't
 * held. Undefined: none was found.
 */
export function sampleCall(
  schema: JsonValue,
  before: HeldBefore | undefined,
  after: readonly ArgumentRule[],
  opening: Opening | undefined,
  satisfies: Satisfies,
): JsonObject | undefined {
  const lets = (held: HeldBefore, args: JsonObject) =>
    judgeOf(held.rules, { schema: held.schema, satisfies })(args, undefined).ok;
  const isNew = (args: JsonObject): boolean =>
    lets({ rules: after, schema }, args) && (before === undefined || !lets(before, args)) && satisfies(schema, args);
  const hasGlob = after.some(({ conditions }) => conditions.some(isGlob));
  for (const written of hasGlob ? [inFolder, asIs] : [asIs]) {
    const args = argumentsFor(schema, after, opening, satisfies, written);
    if (isNew(args)) return args;
  }
  return undefined;
}

export function isGlob({ glob }: ArgumentRule["conditions"][number]): boolean {
  return glob !== undefined;
}

/** What stands in a folder rather than the folder: that is what somebody calls a tool with. */
export function inFolder(path: string): string {
  return path === "." ? "x" : `${path}/x`;
}

function asIs(path: string): string {
  return path;
}

function argumentsFor(
  schema: JsonValue,
  rules: readonly ArgumentRule[],
  opening: Opening | undefined,
  satisfies: Satisfies,
  written: (path: string) => string,
): JsonObject {
  const given = valueFor(schema, 0);
  const args: Record<string, JsonValue> = isObject(given) ? { ...given } : {};
  for (const { argument, conditions } of rules) {
    if (argument === opening?.argument) continue;
    const examples = conditions.flatMap(examplesOf);
    const paths = conditions.some(isGlob)
      ? examples.flatMap((one) => (typeof one === "string" ? written(one) : []))
      : [];
    const value = [...paths, ...examples, ...ANYTHING].find(passing(conditions, satisfies));
    if (value !== undefined) put(args, parseArgumentPath(argument) ?? [], value);
  }
  if (opening?.by === "left out") delete args[opening.argument];
  else if (opening !== undefined) {
    const steps = parseArgumentPath(opening.argument) ?? [];
    put(args, steps, opening.by === undefined ? valueFor(schemaAt(schema, steps), 0) : opening.by.value);
  }
  return args;
}

function put(into: Record<string, JsonValue>, [step, ...more]: readonly ArgumentStep[], value: JsonValue): void {
  if (step === undefined) return;
  const inner = (): JsonValue => {
    if (more.length === 0) return value;
    const known = step.each && Array.isArray(into[step.name]) ? (into[step.name] as JsonValue[])[0] : into[step.name];
    const below: Record<string, JsonValue> = isObject(known) ? { ...known } : {};
    put(below, more, value);
    return below;
  };
  const made = inner();
  into[step.name] = step.each ? [made] : made;
}

function schemaAt(schema: JsonValue, steps: readonly ArgumentStep[]): JsonValue | undefined {
  return steps.reduce<JsonValue | undefined>((within, { name, each }) => {
    const properties = isObject(within) ? own(within, "properties") : undefined;
    const said = isObject(properties) ? own(properties, name) : undefined;
    return each && isObject(said) ? own(said, "items") : said;
  }, schema);
}

/** A schema may demand more than any call has; a sample of that isn't worth its time. */
const MOST_NAMES = 20;
const DEEPEST = 4;

/** The smallest value of a schema's own form; what it demands beyond that is judged later. */
function valueFor(schema: JsonValue | undefined, depth: number): JsonValue {
  if (!isObject(schema) || depth > DEEPEST) return "x";
  if (own(schema, "const") !== undefined) return own(schema, "const")!;
  const [chosen] = [own(schema, "enum")].flat();
  if (chosen !== undefined) return chosen as JsonValue;
  if (own(schema, "default") !== undefined) return own(schema, "default")!;
  const [option] = [own(schema, "anyOf") ?? own(schema, "oneOf")].flat();
  if (isObject(option)) return valueFor(option as JsonObject, depth + 1);
  const [type] = [own(schema, "type")].flat();
  switch (type) {
    case "number":
    case "integer":
      return Number(own(schema, "minimum") ?? own(schema, "maximum") ?? 1);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return Number(own(schema, "minItems") ?? 0) > 0 ? [valueFor(own(schema, "items"), depth + 1)] : [];
    case "string":
      return "x".repeat(Math.min(100, Math.max(1, Number(own(schema, "minLength") ?? 1))));
    default:
      return isObject(own(schema, "properties")) || type === "object" ? requiredOf(schema, depth) : "x";
  }
}

function requiredOf(schema: JsonObject, depth: number): JsonObject {
  const properties = own(schema, "properties");
  const required = own(schema, "required");
  if (!Array.isArray(required) || !isObject(properties)) return {};
  const names = [...new Set(required.filter((name): name is string => typeof name === "string"))].slice(0, MOST_NAMES);
  return Object.fromEntries(names.map((name) => [name, valueFor(own(properties, name), depth + 1)]));
}
