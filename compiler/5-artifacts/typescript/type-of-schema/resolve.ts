import { isObject, own, type JsonObject, type JsonValue } from "../../../base/json.ts";
import type { Dialect } from "./dialect.ts";

/** A document of its own: the whole schema, or a part with an `$id`, which references inside it start from. */
export interface Resource {
  readonly root: JsonValue;
  readonly address: string;
}

export interface Target {
  readonly schema: JsonValue;
  readonly resource: Resource;
  /** Its last step, to name it by. */
  readonly hint: string;
}

/** Every part with an identifier or an anchor, by its address. Made when a reference first needs it. */
export type Addresses = Map<string, Target>;

/** Stands for the address of a schema that doesn't state one; nothing is ever fetched. */
const nowhere = "schema://root/";
/** What holds data and no schemas. */
const dataKeywords = new Set(["enum", "const", "default", "examples", "example"]);
const deepest = 200;

export function rootResource(schema: JsonValue, dialect: Dialect): Resource {
  const around = { root: null, address: nowhere };
  const resource = resourceAt(schema, around, dialect);
  return resource === around ? { root: schema, address: nowhere } : resource;
}

/** The resource that holds what is inside `schema`: a new one where it has an identifier. */
export function resourceAt(schema: JsonValue, around: Resource, dialect: Dialect): Resource {
  if (!isObject(schema) || schema === around.root) return around;
  const id = own(schema, dialect.identifier);
  if (typeof id !== "string" || id === "" || id.startsWith("#")) return around;
  if (dialect.referenceHides && typeof own(schema, "$ref") === "string") return around;
  return { root: schema, address: absolute(id, around.address) ?? around.address };
}

/** What a reference means within the schema; undefined when it leads out of it or nowhere. */
export function resolve(
  reference: string,
  from: Resource,
  addresses: () => Addresses,
  dialect: Dialect,
): Target | undefined {
  if (reference === "#") return { schema: from.root, resource: from, hint: "" };
  if (reference.startsWith("#/")) return follow(reference.slice(2), from, dialect);
  const hash = reference.indexOf("#");
  const fragment = hash < 0 ? "" : reference.slice(hash + 1);
  const address = absolute(reference, from.address);
  if (address === undefined) return undefined;
  if (!fragment.startsWith("/")) return addresses().get(address);
  const start = addresses().get(address.slice(0, address.indexOf("#")));
  return start && follow(fragment.slice(1), start.resource, dialect);
}

/** A JSON pointer, also into `properties/x/anyOf/0`. */
function follow(pointer: string, from: Resource, dialect: Dialect): Target | undefined {
  let schema: JsonValue | undefined = from.root;
  let resource = from;
  let hint = "";
  for (const step of pointer.split("/")) {
    hint = decode(step);
    schema = child(schema, hint);
    if (schema === undefined) return undefined;
    resource = resourceAt(schema, resource, dialect);
  }
  return { schema, resource, hint };
}

function child(schema: JsonValue, step: string): JsonValue | undefined {
  if (Array.isArray(schema)) return /^(?:0|[1-9][0-9]*)$/.test(step) ? schema[Number(step)] : undefined;
  return isObject(schema) ? own(schema, step) : undefined;
}

function decode(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // a stray per cent sign stands for itself
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

export function collectAddresses(schema: JsonValue, dialect: Dialect): Addresses {
  const addresses: Addresses = new Map();
  const root = rootResource(schema, dialect);
  for (const address of [nowhere, root.address])
    addresses.set(withoutHash(address), { schema, resource: root, hint: "" });
  collect(schema, root, dialect, addresses, 0);
  return addresses;
}

function collect(schema: JsonValue, around: Resource, dialect: Dialect, addresses: Addresses, depth: number): void {
  if (typeof schema !== "object" || schema === null || depth > deepest) return;
  if (Array.isArray(schema)) {
    for (const part of schema) collect(part, around, dialect, addresses, depth + 1);
    return;
  }
  const object = schema as JsonObject;
  const resource = resourceAt(object, around, dialect);
  if (resource !== around) add(addresses, withoutHash(resource.address), { schema, resource, hint: "" });
  for (const anchor of anchorsOf(object, dialect)) {
    const address = absolute(`#${anchor}`, resource.address);
    if (address !== undefined) add(addresses, address, { schema, resource, hint: anchor });
  }
  for (const [key, part] of Object.entries(object))
    if (!dataKeywords.has(key)) collect(part, resource, dialect, addresses, depth + 1);
}

/** The first of a name stays: two are an error of the schema, and either answer is as good. */
function add(addresses: Addresses, address: string, target: Target): void {
  if (!addresses.has(address)) addresses.set(address, target);
}

function anchorsOf(schema: JsonObject, dialect: Dialect): string[] {
  const anchors: string[] = [];
  const id = own(schema, dialect.identifier);
  if (typeof id === "string" && id.startsWith("#") && id.length > 1) anchors.push(id.slice(1));
  const anchor = own(schema, "$anchor");
  if (typeof anchor === "string") anchors.push(anchor);
  const dynamic = own(schema, "$dynamicAnchor");
  if (typeof dynamic === "string") anchors.push(dynamic);
  return anchors;
}

function absolute(reference: string, base: string): string | undefined {
  try {
    return withoutHash(new URL(reference, base).href);
  } catch {
    return undefined;
  }
}

function withoutHash(address: string): string {
  return address.endsWith("#") ? address.slice(0, -1) : address;
}
