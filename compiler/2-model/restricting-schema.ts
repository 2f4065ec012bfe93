import { resolveReference } from "../../runtime/pinned-schema.ts";
import { contradictsItself } from "./contradiction.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/** Keywords that say something about a value by themselves, whatever they hold. */
const ASSERTIONS = [
  ["enum", "const", "pattern", "maxLength", "format", "contains", "maxItems", "maxProperties"],
  ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
].flat();
/** Those that say nothing while they are 0, false or empty. */
const COUNTS = ["minLength", "minItems", "minProperties", "uniqueItems", "required", "dependentRequired"];
const OF_ONE = ["items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "propertyNames"];
const OF_MANY = ["allOf", "prefixItems", "items", "properties", "patternProperties", "dependentSchemas"];

/**
 * Whether the schema says anything at all that a value could fail. `true`, `{}` and mere descriptions don't, nor does a
 * choice of which one part is such.
 */
export function restricts(schema: JsonValue): boolean {
  return canFail(schema, { root: schema, failing: new Map(), refusing: new Map() });
}

/** Each schema is judged once for each of the two questions. One that leads back to itself says nothing more there. */
interface SchemaReading {
  readonly root: JsonValue;
  readonly failing: Map<JsonObject, boolean>;
  readonly refusing: Map<JsonObject, boolean>;
}

function canFail(schema: JsonValue, reading: SchemaReading): boolean {
  if (typeof schema === "boolean") return !schema;
  return isObject(schema) && judged(schema, reading.failing, () => fails(schema, reading));
}

function judged(schema: JsonObject, known: Map<JsonObject, boolean>, judge: () => boolean): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  known.set(schema, false);
  const verdict = judge();
  known.set(schema, verdict);
  return verdict;
}

function fails(schema: JsonObject, reading: SchemaReading): boolean {
  const part = (inner: JsonValue): boolean => canFail(inner, reading);
  return (
    ASSERTIONS.some((keyword) => Object.hasOwn(schema, keyword)) ||
    (Object.hasOwn(schema, "type") && !takesEveryType(own(schema, "type")!)) ||
    COUNTS.some((keyword) => !isNothing(own(schema, keyword))) ||
    OF_ONE.some((keyword) => part(own(schema, keyword) ?? true)) ||
    OF_MANY.some((keyword) => partsOf(schema, keyword).some(part)) ||
    referenceFails(schema, reading) ||
    alternativesFail(partsOf(schema, "anyOf"), partsOf(schema, "oneOf"), reading) ||
    conditionalFails(schema, reading) ||
    (Object.hasOwn(schema, "not") && !refusesAll(own(schema, "not")!, reading))
  );
}

function takesEveryType(type: JsonValue): boolean {
  return Array.isArray(type) && TYPES.every((one) => (type as readonly JsonValue[]).includes(one));
}

/** Every integer is a number. */
const TYPES = ["null", "boolean", "object", "array", "number", "string"];

function isNothing(value: JsonValue | undefined): boolean {
  return !value || (typeof value === "object" && Object.values(value).every(isNothing));
}

/** Where a reference leads isn't looked up beyond this schema: the validator takes none that leads nowhere. */
function referenceFails(schema: JsonObject, reading: SchemaReading): boolean {
  return ["$ref", "$dynamicRef"].some((keyword) => {
    const reference = own(schema, keyword);
    if (typeof reference !== "string") return false;
    const target = resolveReference(reading.root, reference) ?? anchored(reading.root, reference);
    return target === undefined || canFail(target, reading);
  });
}

/** What bears the anchor; of several the first, since only a schema without an address of its own is a condition. */
function anchored(root: JsonValue, reference: string): JsonValue | undefined {
  const name = /^#([^/]+)$/.exec(reference)?.[1];
  if (name === undefined) return undefined;
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isObject(next) && [own(next, "$dynamicAnchor"), own(next, "$anchor")].includes(name)) return next;
    for (const part of Object.values(next)) waiting.push(part as JsonValue);
  }
  return undefined;
}

/** `oneOf` lets everything through where one part does and no other takes anything. */
function alternativesFail(any: readonly JsonValue[], one: readonly JsonValue[], reading: SchemaReading): boolean {
  const fails = (part: JsonValue): boolean => canFail(part, reading);
  if (any.length > 0 && any.every(fails)) return true;
  const open = one.filter((part) => !fails(part));
  return one.length > 0 && !(open.length === 1 && one.every((part) => part === open[0] || refusesAll(part, reading)));
}

function conditionalFails(schema: JsonObject, reading: SchemaReading): boolean {
  const condition = own(schema, "if");
  if (condition === undefined) return false;
  const applied = canFail(own(schema, "then") ?? true, reading) && !refusesAll(condition, reading);
  return applied || (canFail(own(schema, "else") ?? true, reading) && canFail(condition, reading));
}

/** Whether no value at all satisfies it, as far as that can be seen. */
function refusesAll(schema: JsonValue, reading: SchemaReading): boolean {
  if (schema === false) return true;
  return isObject(schema) && judged(schema, reading.refusing, () => refuses(schema, reading));
}

function refuses(schema: JsonObject, reading: SchemaReading): boolean {
  const refused = (part: JsonValue): boolean => refusesAll(part, reading);
  const [any, one] = [partsOf(schema, "anyOf"), partsOf(schema, "oneOf")];
  return (
    contradictsItself(schema) ||
    partsOf(schema, "allOf").some(refused) ||
    (any.length > 0 && any.every(refused)) ||
    (one.length > 0 && one.every(refused)) ||
    (Object.hasOwn(schema, "not") && !canFail(own(schema, "not")!, reading))
  );
}

function partsOf(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const value = own(schema, keyword);
  if (Array.isArray(value)) return value as readonly JsonValue[];
  return isObject(value) && keyword !== "items" ? Object.values(value) : [];
}
