import { resolveReference } from "../../runtime/pinned-schema.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";

/** Keywords that say something about a value by themselves, whatever they hold. */
const ASSERTIONS = [
  ["type", "enum", "const", "pattern", "maxLength", "format", "$dynamicRef", "contains", "maxItems", "maxProperties"],
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
  return canFail(schema, { root: schema, within: new Set() });
}

interface SchemaReading {
  readonly root: JsonValue;
  /** A schema that leads back to itself says nothing more there. */
  readonly within: ReadonlySet<JsonValue>;
}

function canFail(schema: JsonValue, reading: SchemaReading): boolean {
  if (typeof schema === "boolean") return !schema;
  if (!isObject(schema) || reading.within.has(schema)) return false;
  const inner: SchemaReading = { root: reading.root, within: new Set([...reading.within, schema]) };
  const fails = (part: JsonValue): boolean => canFail(part, inner);
  return (
    ASSERTIONS.some((keyword) => Object.hasOwn(schema, keyword)) ||
    COUNTS.some((keyword) => !isNothing(own(schema, keyword))) ||
    OF_ONE.some((keyword) => fails(own(schema, keyword) ?? true)) ||
    OF_MANY.some((keyword) => partsOf(schema, keyword).some(fails)) ||
    referenceFails(schema, inner) ||
    alternativesFail(partsOf(schema, "anyOf"), partsOf(schema, "oneOf"), inner) ||
    conditionalFails(schema, inner) ||
    (Object.hasOwn(schema, "not") && !refusesAll(own(schema, "not")!, inner))
  );
}

function isNothing(value: JsonValue | undefined): boolean {
  return !value || (typeof value === "object" && Object.values(value).every(isNothing));
}

/** Where a reference leads isn't looked up beyond this schema: the validator takes none that leads nowhere. */
function referenceFails(schema: JsonObject, reading: SchemaReading): boolean {
  const reference = own(schema, "$ref");
  if (typeof reference !== "string") return false;
  const target = resolveReference(reading.root, reference);
  return target === undefined || canFail(target, reading);
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
  if (!isObject(schema)) return false;
  const any = partsOf(schema, "anyOf");
  return (
    partsOf(schema, "allOf").some((part) => refusesAll(part, reading)) ||
    (any.length > 0 && any.every((part) => refusesAll(part, reading))) ||
    (Object.hasOwn(schema, "not") && !canFail(own(schema, "not")!, reading))
  );
}

function partsOf(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const value = own(schema, keyword);
  if (Array.isArray(value)) return value as readonly JsonValue[];
  return isObject(value) && keyword !== "items" ? Object.values(value) : [];
}
