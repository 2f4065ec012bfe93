import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { arrayType } from "./type-of-schema/array.ts";
import { dialectOf } from "./type-of-schema/dialect.ts";
import {
  arrayKind,
  everyKind,
  kindsOf,
  nullKind,
  objectKind,
  scalarKinds,
  type Kinds,
} from "./type-of-schema/kinds.ts";
import {
  ofArrays,
  ofNull,
  ofObjects,
  ofReference,
  ofSchemas,
  ofValues,
  says,
  type Says,
} from "./type-of-schema/keywords.ts";
import { literalsType } from "./type-of-schema/literal.ts";
import { pascalCase, type Names } from "./type-of-schema/names.ts";
import { objectType } from "./type-of-schema/object.ts";
import type { Definition, Open, Reading, Spot } from "./type-of-schema/reading.ts";
import {
  collectAddresses,
  resolve,
  resourceAt,
  rootResource,
  type Addresses,
  type Target,
} from "./type-of-schema/resolve.ts";
import { intersection, namedType, neverType, union, wide, type Type } from "./type-of-schema/type.ts";
import { code, doc, indentation, type Code } from "./writer.ts";

/**
 * JSON Schema to TypeScript. Every value that the schema accepts is a value of the type; where TypeScript can't say
 * what the schema says, the type is the nearest wider one. A broken schema says nothing, and so does its type.
 */
export interface DeclaredType {
  readonly name: Code;
  /** The interface or alias, and those of its parts that need a name. */
  readonly declarations: readonly Code[];
  /** `{}` is a value of it. */
  readonly takesEmpty: boolean;
}

/**
 * What a tool takes. Arguments are an object by protocol, so a schema that forgets to say `type: object` is about
 * objects all the same, and one that excludes them is broken.
 */
export function declareArguments(schema: JsonValue, wish: string, names: Names): DeclaredType {
  return declare(schema, wish, names, objectKind);
}

/** What a tool promises to answer: an object by protocol, unless its schema or the project says otherwise. */
export function declareResult(schema: JsonValue, wish: string, names: Names): DeclaredType {
  return declare(schema, wish, names, isObject(schema) && Object.hasOwn(schema, "type") ? everyKind : objectKind);
}

/** Deeper schemas are unknown from there on. */
const deepest = 100;
/** What a reference leads to gets a name of its own when it is longer. */
const longestInline = 60;

function declare(schema: JsonValue, wish: string, names: Names, kinds: Kinds): DeclaredType {
  const dialect = dialectOf(schema);
  const name = names.take(wish);
  let addresses: Addresses | undefined;
  const reading: Reading = {
    dialect,
    names,
    title: name.text,
    definitions: new Map(),
    declarations: [],
    addresses: () => (addresses ??= collectAddresses(schema, dialect)),
    typeAt: (part, spot) => typeAt(part, spot, reading),
  };
  const whole: Definition = { kinds: kinds & kindsOf(schema), name, type: undefined };
  if (typeof schema === "object") reading.definitions.set(schema, [whole]);
  const spot: Spot = {
    kinds,
    level: 0,
    depth: 0,
    resource: rootResource(schema, dialect),
    open: { definition: whole, around: undefined },
  };
  const type = typeAt(schema, spot, reading);
  const useful = type === neverType ? wide(kinds) : type;
  return {
    name,
    declarations: [declaration(name, useful, schema), ...reading.declarations],
    takesEmpty: useful.takesEmpty,
  };
}

function declaration(name: Code, type: Type, schema: JsonValue): Code {
  const said = isObject(schema) ? own(schema, "description") : undefined;
  const about = doc(typeof said === "string" ? said : undefined, indentation(0));
  return type.form === "object"
    ? code`${about}export interface ${name} ${type.code}\n`
    : code`${about}export type ${name} = ${type.code};\n`;
}

function typeAt(schema: JsonValue, spot: Spot, reading: Reading): Type {
  if (schema === false && reading.dialect.const) return neverType;
  if (!isObject(schema) || spot.depth > deepest) return wide(spot.kinds);
  const about = says(schema);
  const type = typeWithin(schema, about, spot, reading);
  if (!(about & ofNull) || own(schema, "nullable") !== true || !(spot.kinds & nullKind)) return type;
  // where `nullable` isn't a keyword it says nothing, and a type with null is only wider
  return type === wide(spot.kinds & kindsOf(schema)) ? type : union([type, wide(nullKind)]);
}

function typeWithin(schema: JsonObject, about: Says, spot: Spot, reading: Reading): Type {
  const resource = resourceAt(schema, spot.resource, reading.dialect);
  const reference = about & ofReference ? own(schema, "$ref") : undefined;
  if (typeof reference === "string" && reading.dialect.referenceHides)
    return referred(reference, { ...spot, resource }, reading);
  const kinds = spot.kinds & kindsOf(schema);
  if (kinds === 0) return neverType;
  const here: Spot = { kinds, level: spot.level, depth: spot.depth, resource, open: spot.open };
  const itself = ownType(schema, about, here, reading);
  if (!(about & ofSchemas)) return itself ?? wide(kinds);
  const parts = combined(schema, { ...here, depth: spot.depth + 1 }, reading);
  if (itself !== undefined) parts.unshift(itself);
  const saying = parts.filter((part) => part !== wide(kinds));
  return saying.length === 0 ? wide(kinds) : intersection(saying);
}

/**
 * What the schema says without other schemas about the same value; undefined when that is no more than the kinds.
 * Keywords about objects say nothing of a text: a schema with `properties` and without `type` takes any other kind
 * too, and its type says so.
 */
function ownType(schema: JsonObject, about: Says, spot: Spot, reading: Reading): Type | undefined {
  const values = about & ofValues ? valuesOf(schema, reading) : undefined;
  if (values !== undefined) return literalsType(values, spot.kinds, spot.level);
  const objects = about & ofObjects && spot.kinds & objectKind ? objectType(schema, spot, reading) : undefined;
  const arrays = about & ofArrays && spot.kinds & arrayKind ? arrayType(schema, spot, reading) : undefined;
  if (objects === undefined && arrays === undefined) return undefined;
  const anyObject = wide(spot.kinds & objectKind);
  const anyArray = wide(spot.kinds & arrayKind);
  if ((objects ?? anyObject) === anyObject && (arrays ?? anyArray) === anyArray) return undefined;
  return union([objects ?? anyObject, wide(spot.kinds & scalarKinds), arrays ?? anyArray]);
}

/**
 * An empty `enum` says nothing: taken at its word it would refuse every value, but drafts up to 7 forbid it,
 * validators won't compile it, and servers that send it (a list they had no access to) take values all the same.
 */
function valuesOf(schema: JsonObject, reading: Reading): readonly JsonValue[] | undefined {
  const one = reading.dialect.const ? own(schema, "const") : undefined;
  if (one !== undefined) return [one];
  const list = own(schema, "enum");
  return Array.isArray(list) && list.length > 0 ? list : undefined;
}

/** Schemas about the same value, all of which hold. `not`, `if` itself and `unevaluated*` are left out: wider. */
function combined(schema: JsonObject, spot: Spot, reading: Reading): Type[] {
  const parts: Type[] = [];
  const reference = own(schema, "$ref");
  if (typeof reference === "string") parts.push(referred(reference, spot, reading));
  for (const part of schemasOf(schema, "allOf")) parts.push(typeAt(part, spot, reading));
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schemasOf(schema, keyword);
    if (branches.length > 0) parts.push(union(branches.map((branch) => typeAt(branch, spot, reading))));
  }
  const yes = own(schema, "then");
  const no = own(schema, "else");
  if (reading.dialect.conditional && Object.hasOwn(schema, "if") && yes !== undefined && no !== undefined) {
    parts.push(union([typeAt(yes, spot, reading), typeAt(no, spot, reading)]));
  }
  return parts;
}

function schemasOf(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const list = own(schema, keyword);
  return Array.isArray(list) ? list : [];
}

/** The type behind a `$ref`; one that leads nowhere, out of the schema or to itself says nothing. */
function referred(reference: string, spot: Spot, reading: Reading): Type {
  const target = resolve(reference, spot.resource, reading.addresses, reading.dialect);
  if (target === undefined || !isObject(target.schema)) return target?.schema === false ? neverType : wide(spot.kinds);
  const kinds = spot.kinds & kindsOf(target.schema);
  if (kinds === 0) return neverType;
  const known = reading.definitions.get(target.schema) ?? [];
  const definition = known.find((one) => one.kinds === kinds);
  if (definition === undefined) return define(target, kinds, known, spot, reading);
  if (definition.type !== undefined) return definition.type;
  if (isOpen(definition, spot.open)) return wide(spot.kinds);
  definition.name ??= nameOf(target, reading);
  return namedType(definition.name, 1, true);
}

function isOpen(definition: Definition, open: Open | undefined): boolean {
  for (let one = open; one !== undefined; one = one.around) if (one.definition === definition) return true;
  return false;
}

function define(target: Target, kinds: Kinds, known: readonly Definition[], spot: Spot, reading: Reading): Type {
  const definition: Definition = { kinds, name: undefined, type: undefined };
  reading.definitions.set(target.schema, [...known, definition]);
  const inside: Spot = {
    kinds,
    level: 0,
    depth: spot.depth + 1,
    resource: target.resource,
    open: { definition, around: spot.open },
  };
  const type = typeAt(target.schema, inside, reading);
  if (definition.name === undefined && type.code.text.length <= longestInline && !type.code.text.includes("\n"))
    return (definition.type = type);
  definition.name ??= nameOf(target, reading);
  reading.declarations.push(declaration(definition.name, type, target.schema));
  return (definition.type = namedType(definition.name, type.width, type.takesEmpty));
}

function nameOf(target: Target, reading: Reading): Code {
  return reading.names.take(target.hint === "" ? reading.title : reading.title + pascalCase(target.hint));
}
