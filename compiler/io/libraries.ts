import type * as Ajv7 from "ajv";
import type * as Ajv2019 from "ajv/dist/2019.js";
import type * as Ajv2020 from "ajv/dist/2020.js";
import type * as Jsonc from "jsonc-parser";
import type * as Yaml from "yaml";
import type { KeyLibraries } from "../5-artifacts/managed/types.ts";
import type { SchemaCheck } from "../2-model/types.ts";

/** Packages that most builds never need, loaded when they are first asked for. */
export interface LazyLibraries {
  readonly yaml: () => typeof Yaml;
  readonly schemaProblem: SchemaCheck;
}

export function lazyLibraries(): LazyLibraries {
  return { yaml: () => load("yaml") as typeof Yaml, schemaProblem: (schema, use) => problemOf(schema, use) };
}

/** For files that the user edits too. */
export function keyLibraries(): KeyLibraries {
  return { jsonc: () => load("jsonc-parser") as typeof Jsonc, yaml: () => load("yaml") as typeof Yaml };
}

/** Even the module system's own module takes 3 ms to load: it is asked for with the first package. */
function load(name: string): unknown {
  return process.getBuiltinModule("node:module").createRequire(import.meta.url)(name);
}

/** What is used of any of the validators. */
type Validator = Pick<Ajv2020.Ajv2020, "validateSchema" | "compile" | "errors">;

/**
 * A result's schema is carried with formats and keywords that nobody knows, as the validator at run time carries them. In
 * a condition a keyword that isn't known is a slip, and it would restrict nothing.
 */
const OPTIONS = {
  result: { strict: false, validateFormats: false, logger: false },
  condition: { strict: true, allowUnionTypes: true, strictTuples: false, strictRequired: false, logger: false },
} as const;
type Options = (typeof OPTIONS)[keyof typeof OPTIONS];

/** A fresh validator for each schema: two that have one `$id` don't get in each other's way. */
function problemOf(schema: unknown, use: "condition" | "result"): string | undefined {
  try {
    const ajv = validatorFor(schema, OPTIONS[use]);
    if (!ajv.validateSchema(schema as object)) {
      const [error] = ajv.errors ?? [];
      return error
        ? `isn't one that a validator takes: \`${error.instancePath || "/"}\` ${error.message}`
        : "isn't a JSON Schema";
    }
    ajv.compile(structuredClone(schema) as object);
    return undefined;
  } catch (error) {
    return error instanceof Error ? compileProblem(error.message) : "doesn't compile";
  }
}

/** Two that are met often are said in words of ours, with the next step. */
function compileProblem(message: string): string {
  const format = /^unknown format "(.*)" ignored/s.exec(message)?.[1];
  if (format !== undefined) return `names the format \`${format}\`, which isn't judged; write a \`pattern\``;
  const [, type, keyword, at] =
    /missing type "(\S+)" for keyword "(\w+)" at "#(.*)" \(strictTypes\)$/s.exec(message) ?? [];
  if (keyword === "format") return "names a `format`, which isn't judged; write a `pattern`, with `type: string`";
  const where = at ? ` at \`${at}\`` : "";
  if (keyword !== undefined) return `has \`${keyword}\`${where} without its type; add \`type: ${type}\``;
  return `doesn't compile: ${message.replace(/\s+/g, " ").slice(0, 160)}`;
}

/** By the draft that the schema names; 2020-12 when it names none, as the protocol has it. */
function validatorFor(schema: unknown, options: Options): Validator {
  const draft = (schema as { readonly $schema?: unknown } | null)?.$schema;
  if (typeof draft === "string" && /draft-0?[4-7]\b/.test(draft)) {
    const { Ajv } = load("ajv") as typeof Ajv7;
    const ajv = new Ajv(options);
    // Draft 4 and 6 differ from 7 in little that a validator minds.
    for (const old of ["http://json-schema.org/draft-04/schema", "http://json-schema.org/draft-06/schema"]) {
      ajv.addMetaSchema({ $id: old, type: ["object", "boolean"] });
    }
    return ajv;
  }
  if (typeof draft === "string" && draft.includes("2019-09")) {
    return new (load("ajv/dist/2019.js") as typeof Ajv2019).Ajv2019(options);
  }
  return new (load("ajv/dist/2020.js") as typeof Ajv2020).Ajv2020(options);
}
