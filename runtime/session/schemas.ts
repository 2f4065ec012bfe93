import type { JsonValue } from "../contract.ts";
import { sizeLeft } from "../json-values.ts";
import { patternSearch, patternTooCostly, type Search } from "../pattern-search.ts";
import { createTimeLimit, DEADLINE_MS, DISTURBED, GAVE_UP, type TimeLimit } from "./time-limit.ts";

/**
 * Values against JSON Schemas that strangers wrote, with the Ajv that the client library brings. A schema that can't be
 * compiled lets nothing through, nor does one that can't judge a value in time.
 */

/** What is wrong with the value, with its place, or undefined. */
export type Check = (value: JsonValue) => string | undefined;
/** `slow`: the build couldn't show that it judges every value soon. */
export type Checks = (schema: JsonValue, slow: boolean) => Check;

interface Validate {
  (value: unknown): unknown;
  readonly errors?:
    | readonly { readonly instancePath: string; readonly message?: string; readonly params: object }[]
    | null;
  readonly $async?: unknown;
}
interface Engine {
  compile(schema: unknown): Validate;
  addFormat(name: string, judge: (text: string) => boolean): unknown;
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
  const limit = createTimeLimit();
  const shared = createEngines(library, false);
  const known = new WeakMap<object, Check>();
  return (schema, slow) => {
    if (typeof schema !== "object" || schema === null) return compiled(schema, shared);
    const check = known.get(schema) ?? (slow ? slowCheck(schema, library, limit) : quickCheck(schema, shared, limit));
    known.set(schema, check);
    return check;
  };
}

/** A large value is judged under a deadline. */
function quickCheck(schema: JsonValue, engines: Engines, limit: TimeLimit): Check {
  const made = compiled(schema, engines);
  return (value) => (isLarger(value, LARGE) ? saidOf(limit(() => made(value))) : made(value));
}

/** Compiled with the first value, under the one deadline that the call has. */
function slowCheck(schema: JsonValue, library: AjvLibrary, limit: TimeLimit): Check {
  if (isLarger(schema, LARGEST_SCHEMA)) return () => TOO_LONG;
  let made: Check | undefined;
  let last: ReturnType<Check> | typeof GAVE_UP | typeof DISTURBED;
  let [pause, again] = [FIRST_PAUSE_MS, 0];
  return (value) => {
    if (made === undefined && performance.now() < again) return saidOf(last);
    // What is ended in the middle leaves an engine that nobody else should use.
    last = limit(() => (made ??= compiled(schema, createEngines(library, true)))(value));
    if (made === undefined) {
      const { times, longestMs } = last === DISTURBED ? AFTER_A_BUSY_MOMENT : AFTER_ITS_WHOLE_TIME;
      again = performance.now() + Math.min(pause, longestMs);
      pause = Math.min(pause * times, longestMs);
    }
    return saidOf(last);
  };
}

function saidOf(outcome: ReturnType<Check> | typeof GAVE_UP | typeof DISTURBED): ReturnType<Check> {
  if (outcome === DISTURBED) return `${TOO_LONG}, on a machine that is busy: try again`;
  return outcome === GAVE_UP ? TOO_LONG : outcome;
}

/**
 * Until a schema that wasn't compiled is tried again: each try keeps an app still. One that had its whole time may have
 * shared it all the same, and is given up by none of them: in the end it takes a thousandth of an app's time.
 */
const FIRST_PAUSE_MS = 500;
const AFTER_A_BUSY_MOMENT = { times: 2, longestMs: 8_000 };
const AFTER_ITS_WHOLE_TIME = { times: 4, longestMs: 120_000 };

const TOO_LONG = `can't be judged by its schema within ${DEADLINE_MS} ms`;

/** Values and characters together: a quick schema takes some milliseconds for so much, whatever they are. */
const LARGE = 4096;
/** Of a larger one parts are compiled in single steps that no deadline ends. The largest real one has 49,000. */
const LARGEST_SCHEMA = 250_000;
/** Of what a schema becomes: the engine reads it in one step as well. The longest of 3,838 real ones has 349,170. */
const LONGEST_CODE = 400_000;

function isLarger(value: JsonValue, most: number): boolean {
  return sizeLeft(value, most) < 0;
}

type Dialect = "2020" | "draft-07";
type Engines = (dialect: Dialect, unicode: boolean) => Engine;

/** The library doesn't export the class of today's dialect, only makes objects of it. */
function createEngines(library: AjvLibrary, ofOneSchema: boolean): Engines {
  const classes: Readonly<Record<Dialect, EngineClass>> = {
    "2020": new library.AjvJsonSchemaValidator().ajv.constructor as EngineClass,
    "draft-07": library.Ajv,
  };
  const made = new Map<string, Engine>();
  return (dialect, unicode) => {
    const key = `${dialect} ${unicode}`;
    const engine = made.get(key) ?? new classes[dialect](optionsWith(unicode, ofOneSchema));
    if (!made.has(key)) {
      library.addFormats(engine);
      engine.addFormat("regex", isPattern);
    }
    made.set(key, engine);
    return engine;
  };
}

/**
 * Two tools may use one `$id`. But without `addUsedSchema` a schema can't refer to itself as a whole. Code is written as
 * it is, and once for each reference: to shorten it takes longer than all else.
 */
function optionsWith(unicodeRegExp: boolean, addUsedSchema: boolean): object {
  const written = { code: { optimize: false, process: boundedCode, regExp: REG_EXP }, inlineRefs: false };
  return { strict: false, validateSchema: false, addUsedSchema, logger: false, unicodeRegExp, ...written };
}

const TOO_MUCH_CODE = new Error("it becomes too much code");

function boundedCode(code: string): string {
  if (code.length > LONGEST_CODE) throw TOO_MUCH_CODE;
  return code;
}

class CostlyPattern extends Error {}

/** The engine takes a name along, for code that would stand in a file. */
const REG_EXP = Object.assign(boundedSearch, { code: "boundedSearch" });

function boundedSearch(source: string, flags: string): Search {
  const problem = patternTooCostly(source);
  if (problem !== undefined) throw new CostlyPattern(`can't be judged by its schema: a pattern ${problem}`);
  return patternSearch(source, flags);
}

function isPattern(text: string): boolean {
  try {
    boundedSearch(text, "u");
    return true;
  } catch {
    return false;
  }
}

function compiled(schema: JsonValue, engines: Engines): Check {
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
        if (error === TOO_MUCH_CODE) return () => TOO_LONG;
        problem = error instanceof Error ? error.message : String(error);
        const refusal = problem;
        if (error instanceof CostlyPattern) return () => refusal;
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
  try {
    if (validate(value) === true) return undefined;
  } catch {
    // Alternatives that refer to themselves, or a value that is nested as deep as it is long.
    return "can't be judged by its schema: it goes too deep";
  }
  const [error] = validate.errors ?? [];
  if (error === undefined) return "doesn't satisfy the schema";
  const named = "additionalProperty" in error.params ? ` (\`${String(error.params.additionalProperty)}\`)` : "";
  return `${error.instancePath === "" ? "" : `at \`${error.instancePath}\` `}${error.message ?? "is wrong"}${named}`;
}
