/** Which values are schemas of Zod, and whose: each version is known by what only it has. */

export type ZodVersion = 3 | 4;

export function zodVersionOf(value: unknown): ZodVersion | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (hasObject(value, "_zod")) return 4;
  return typeNameOf((value as { readonly _def?: unknown })._def) === undefined ? undefined : 3;
}

/** `ZodString` and the like. Definitions of Zod 4 have no such name, though they lie under the same key. */
export function typeNameOf(def: unknown): string | undefined {
  if (typeof def !== "object" || def === null) return undefined;
  const { typeName } = def as { readonly typeName?: unknown };
  return typeof typeName === "string" && typeName.startsWith("Zod") ? typeName : undefined;
}

function hasObject(value: object, key: string): boolean {
  const held: unknown = (value as { readonly [key: string]: unknown })[key];
  return typeof held === "object" && held !== null;
}

export interface FoundSchema {
  /** Undefined: the module says a tool's name only. */
  readonly server: string | undefined;
  readonly tool: string;
  readonly schema: object;
  readonly version: ZodVersion;
}

/** An export that is a schema is a tool's; an object of schemas is a server's. The default export counts as the module does. */
export function schemasIn(exports: object): FoundSchema[] {
  const entries = entriesOf(exports);
  return entries.flatMap(([name, value]) => {
    const version = zodVersionOf(value);
    if (version !== undefined) return [{ server: undefined, tool: name, schema: value as object, version }];
    if (name === "default" && isPlain(value)) return schemasIn(value);
    return isPlain(value) ? toolsOf(name, value) : [];
  });
}

function toolsOf(server: string, tools: object): FoundSchema[] {
  return entriesOf(tools).flatMap(([tool, schema]) => {
    const version = zodVersionOf(schema);
    return version === undefined ? [] : [{ server, tool, schema: schema as object, version }];
  });
}

function entriesOf(value: object): [string, unknown][] {
  return Object.keys(value).map((key) => [key, (value as { readonly [key: string]: unknown })[key]]);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
