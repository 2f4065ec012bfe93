import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import type { ResultLibraries } from "./types.ts";
import { typeNameOf, type FoundSchema, type ZodVersion } from "./zod-schemas.ts";

/**
 * One schema of Zod as JSON Schema: what a server may send, so the side before a `transform` or a default.
 *
 * The trap: zod-to-json-schema makes `{}` of a schema of Zod 4, and of what it doesn't know, and says nothing. `{}` accepts
 * everything. So it is given schemas of Zod 3 alone, is stopped at each part that isn't one, and nothing that came out
 * empty passes.
 */
export type Converted =
  | { readonly schema: JsonObject; readonly notes: readonly string[]; readonly why?: never }
  | { readonly why: string; readonly schema?: never };

export function jsonSchemaOf({ schema, version }: FoundSchema, libraries: ResultLibraries): Converted {
  const notes = new Set<string>();
  try {
    const made = version === 3 ? fromZod3(schema, libraries, notes) : fromZod4(schema, libraries, notes);
    const known = JSON.parse(JSON.stringify(made) ?? "null") as JsonValue;
    if (!isObject(known) || saysNothing(known)) return { why: "accepts everything, and so would hold nothing" };
    return { schema: known, notes: [...notes] };
  } catch (error) {
    return { why: error instanceof Error ? error.message.replace(/\s+/g, " ") : String(error) };
  }
}

/** What describes, and restricts nothing. */
const WORDS: ReadonlySet<string> = new Set(["$schema", "description", "title", "default", "examples", "id", "$id"]);

function saysNothing(schema: JsonObject): boolean {
  return Object.keys(schema).every((key) => WORDS.has(key));
}

/** No JSON is one: such a schema refuses whatever a server sends, or what it would be turned into accepts more than it does. */
const NOT_JSON: Readonly<Record<string, string>> = {
  ZodBigInt: "a bigint",
  ZodDate: "a date",
  ZodFunction: "a function",
  ZodMap: "a map",
  ZodNaN: "not a number",
  ZodPromise: "a promise",
  ZodSet: "a set",
  ZodSymbol: "a symbol",
  ZodUndefined: "undefined",
  ZodVoid: "void",
};

function fromZod3(schema: object, { zod3 }: ResultLibraries, notes: Set<string>): unknown {
  const { zodToJsonSchema, ignoreOverride } = zod3();
  const override = (def: unknown, { currentPath }: { readonly currentPath: readonly string[] }, seen: unknown) => {
    const typeName = typeNameOf(def);
    const at = wayOf(currentPath.slice(1));
    if (typeName === undefined) throw new Error(`holds something${at} that isn't a schema of Zod 3`);
    const name = NOT_JSON[typeName];
    if (name !== undefined) throw new Error(`holds ${name}${at}, which JSON doesn't have`);
    if (isAround(seen, currentPath))
      throw new Error(`refers to itself${at}: write it by hand, with \`$defs\`, or with Zod 4`);
    if (isRefined3(def)) notes.add(checkInCode(at));
    if (typeName === "ZodPipeline") notes.add(behindPipe(at));
    return ignoreOverride;
  };
  const options = {
    override,
    $refStrategy: "none",
    pipeStrategy: "input",
    removeAdditionalStrategy: "strict",
    allowedAdditionalProperties: undefined,
    applyRegexFlags: true,
  };
  const { $schema, ...made } = unlessForeign(3, () => zodToJsonSchema(schema, options)) as JsonObject;
  // Tuples are written as draft 7 has them, and mean something else in today's.
  return hasTuple(made) && $schema !== undefined ? { $schema, ...made } : made;
}

function fromZod4(schema: object, { zod4 }: ResultLibraries, notes: Set<string>): unknown {
  if (zod4 === undefined) throw new Error("is a schema of Zod 4, and the module has no `zod` beside it to ask");
  const override = ({ zodSchema, path = [] }: { readonly zodSchema: unknown; readonly path?: readonly unknown[] }) => {
    const at = wayOf(path.map(String));
    const def = defOf4(zodSchema);
    if (def.checks?.some((check) => check._zod?.def?.check === "custom") === true) notes.add(checkInCode(at));
    if (def.type === "pipe" && defOf4(def.out).type !== "transform") notes.add(behindPipe(at));
  };
  const options = { io: "input", unrepresentable: "throw", override };
  const made = unlessForeign(4, () => zod4(schema, options)) as JsonObject;
  // Today's draft is what a schema has that names none.
  return Object.fromEntries(Object.entries(made).filter(([key]) => key !== "$schema"));
}

/** What isn't a schema of that version has no parts where its own have theirs. */
function unlessForeign(version: ZodVersion, make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    if (error instanceof TypeError)
      throw new Error(`holds something that isn't a schema of Zod ${version}`, { cause: error });
    throw error;
  }
}

interface Zod4Def {
  readonly type?: unknown;
  readonly out?: unknown;
  readonly checks?: readonly { readonly _zod?: { readonly def?: { readonly check?: unknown } } }[];
}

function defOf4(schema: unknown): Zod4Def {
  return (schema as { readonly _zod?: { readonly def?: Zod4Def } } | undefined)?._zod?.def ?? {};
}

function behindPipe(at: string): string {
  return `what stands behind \`pipe\`${at} isn't held: the server sends what stands before it`;
}

function checkInCode(at: string): string {
  return `a check in code (\`refine\`)${at} isn't held: JSON Schema can't say it`;
}

/** Of a part that was met before: whether it lies around the one that is met now. */
function isAround(seen: unknown, path: readonly string[]): boolean {
  const before = (seen as { readonly path?: readonly string[] } | undefined)?.path;
  return before !== undefined && before.length < path.length && before.every((step, i) => path[i] === step);
}

function isRefined3(def: unknown): boolean {
  const { effect } = def as { readonly effect?: { readonly type?: unknown } };
  return effect?.type === "refinement";
}

function hasTuple(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasTuple);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, held]) => (key === "items" && Array.isArray(held)) || hasTuple(held));
}

function wayOf(path: readonly string[]): string {
  return path.length === 0 ? "" : ` at \`${path.join("/")}\``;
}
