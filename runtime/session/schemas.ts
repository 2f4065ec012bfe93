import type { JsonValue } from "../contract.ts";

/**
 * Values against JSON Schemas that strangers wrote, with the Ajv that the client library brings. A schema that can't be
 * compiled lets nothing through.
 */

/** What is wrong with the value, with its place, or undefined. */
export type Check = (value: JsonValue) => string | undefined;
export type Checks = (schema: JsonValue) => Check;

interface Validate {
  (value: unknown): unknown;
  readonly errors?:
    | readonly { readonly instancePath: string; readonly message?: string; readonly params: object }[]
    | null;
  readonly $async?: unknown;
}
interface Engine {
  compile(schema: unknown): Validate;
}
type EngineClass = new (options: object) => Engine;
interface AjvLibrary {
  readonly Ajv: EngineClass;
  readonly AjvJsonSchemaValidator: new () => { readonly ajv: object };
  readonly addFormats: (engine: Engine) => void;
}

export async function loadChecks(): Promise<Checks> {
  // The assertion keeps the compiler of a project without the library from looking for its types.
  const library = (await import("@modelcontextprotocol/client/validators/ajv" as string)) as AjvLibrary;
  const engines = createEngines(library);
  const known = new WeakMap<object, Check>();
  return (schema) => {
    if (typeof schema !== "object" || schema === null) return compiled(schema, engines);
    const check = known.get(schema) ?? compiled(schema, engines);
    known.set(schema, check);
    return check;
  };
}

type Dialect = "2020" | "draft-07";

/** The library doesn't export the class of today's dialect, only makes objects of it. */
function createEngines(library: AjvLibrary): (dialect: Dialect, unicode: boolean) => Engine {
  const classes: Readonly<Record<Dialect, EngineClass>> = {
    "2020": new library.AjvJsonSchemaValidator().ajv.constructor as EngineClass,
    "draft-07": library.Ajv,
  };
  const made = new Map<string, Engine>();
  return (dialect, unicode) => {
    const key = `${dialect} ${unicode}`;
    const engine = made.get(key) ?? new classes[dialect](optionsWith(unicode));
    if (!made.has(key)) library.addFormats(engine);
    made.set(key, engine);
    return engine;
  };
}

/** `addUsedSchema`: two tools may use one `$id`. */
function optionsWith(unicodeRegExp: boolean): object {
  return { strict: false, validateSchema: false, addUsedSchema: false, logger: false, unicodeRegExp };
}

function compiled(schema: JsonValue, engines: (dialect: Dialect, unicode: boolean) => Engine): Check {
  let problem = "it is asynchronous";
  for (const dialect of dialectsOf(schema)) {
    for (const [text, unicode] of [
      [schema, true],
      [schema, false],
      [withoutEmptyEnums(schema), false],
    ] as const) {
      try {
        const validate = engines(dialect, unicode).compile(text);
        // An asynchronous validator answers with a promise, which would pass for a yes.
        if (validate.$async === undefined) return (value) => objection(validate, value);
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error);
      }
    }
  }
  return () => `can't be checked, since the schema can't be used: ${problem}`;
}

/** Servers write patterns, tuples and empty enums as older drafts had them, and often name no draft. */
function dialectsOf(schema: JsonValue): readonly Dialect[] {
  const said = typeof schema === "object" && schema !== null && "$schema" in schema ? schema["$schema"] : undefined;
  return typeof said === "string" && /draft-0[0-7]/.test(said) ? ["draft-07", "2020"] : ["2020", "draft-07"];
}

/** An empty `enum` says nothing, as in the types that are generated. */
function withoutEmptyEnums(schema: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(schema), (key: string, value: unknown) =>
    key === "enum" && Array.isArray(value) && value.length === 0 ? undefined : value,
  ) as JsonValue;
}

function objection(validate: Validate, value: JsonValue): string | undefined {
  if (validate(value) === true) return undefined;
  const [error] = validate.errors ?? [];
  if (error === undefined) return "doesn't satisfy the schema";
  const named = "additionalProperty" in error.params ? ` (\`${String(error.params.additionalProperty)}\`)` : "";
  return `${error.instancePath === "" ? "" : `at \`${error.instancePath}\` `}${error.message ?? "is wrong"}${named}`;
}
