import type * as Ajv7 from "ajv";
import type * as Ajv2019 from "ajv/dist/2019.js";
import type * as Ajv2020 from "ajv/dist/2020.js";
import type * as Jose from "jose";
import { madeOnce } from "../base/made-once.ts";
import type { YamlModule } from "../1-source/document/yaml-module.ts";
import type { KeyLibraries } from "../5-artifacts/managed/types.ts";
import type { SchemaCheck } from "../2-model/types.ts";
import type { ResultLibraries } from "../results/types.ts";
import { packageRoot } from "./package-root.ts";

/** Packages that most builds never need, loaded when they are first asked for. */
export interface LazyLibraries {
  readonly yaml: () => YamlModule;
  readonly schemaProblem: SchemaCheck;
}

export function lazyLibraries(): LazyLibraries {
  const judges = madeOnce((draft: Draft) => validatorOf(draft, { strict: false, logger: false }));
  return {
    yaml: () => load("yaml") as YamlModule,
    schemaProblem: (schema, use) => problemOf(schema, OPTIONS[use], judges),
  };
}

/** For files that the user edits too. */
export function keyLibraries(): KeyLibraries {
  return {
    jsonc: () => load("jsonc-parser") as ReturnType<KeyLibraries["jsonc"]>,
    yaml: () => load("yaml") as ReturnType<KeyLibraries["yaml"]>,
  };
}

/** For the schemas of a user's module. Zod 4 is asked beside the module: a schema is exported by the version that made it. */
export function resultLibraries(module: string): ResultLibraries {
  return {
    zod3: () => load("zod-to-json-schema") as ReturnType<ResultLibraries["zod3"]>,
    zod4: zod4Beside(module)?.toJSONSchema,
  };
}

/** What signatures of tokens are judged by. */
export function tokenLibrary(): typeof Jose {
  return load("jose") as typeof Jose;
}

/** The protocol's own server. Bundled it is one file, of which nothing is read that isn't used. */
export function serverLibrary(): unknown {
  return load("mcp-server");
}

function zod4Beside(module: string): { readonly toJSONSchema?: ResultLibraries["zod4"] } | undefined {
  const { createRequire } = process.getBuiltinModule("node:module");
  try {
    return createRequire(module)("zod/v4/core") as ReturnType<typeof zod4Beside>;
  } catch {
    return undefined;
  }
}

/** By the name under which it is bundled, how it is called where it is installed: in the repository. */
const PACKAGES = {
  yaml: "yaml",
  "jsonc-parser": "jsonc-parser",
  ajv: "ajv",
  "ajv-2019": "ajv/dist/2019.js",
  "ajv-2020": "ajv/dist/2020.js",
  "zod-to-json-schema": "zod-to-json-schema",
  jose: "jose",
  "mcp-server": ["@modelcontextprotocol/server", "@modelcontextprotocol/server/stdio"],
} as const;

declare const BUILD_ID: string | undefined;

/** Even the module system's own module takes 3 ms to load: it is asked for with the first package. */
function load(name: keyof typeof PACKAGES): unknown {
  const { createRequire } = process.getBuiltinModule("node:module");
  if (typeof BUILD_ID !== "undefined") return createRequire(packageRoot())(`./dist/packages/${name}.js`);
  const [whole, ...more] = [PACKAGES[name]].flat().map(createRequire(import.meta.url));
  return more.length === 0 ? whole : Object.assign({}, whole, ...more);
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
type AjvOptions = Ajv7.Options;
type Options = (typeof OPTIONS)[keyof typeof OPTIONS];

/**
 * Whether it is a schema is judged by one validator for each draft, whose own schema takes 9 ms to compile. It compiles in a
 * fresh one: two that have one `$id` don't get in each other's way.
 */
function problemOf(schema: unknown, options: Options, judges: (draft: Draft) => Validator): string | undefined {
  try {
    const draft = draftOf(schema);
    const judge = judges(draft);
    if (!judge.validateSchema(schema as object)) {
      const [error] = judge.errors ?? [];
      return error
        ? `isn't one that a validator takes: \`${error.instancePath || "/"}\` ${error.message}`
        : "isn't a JSON Schema";
    }
    validatorOf(draft, { ...options, validateSchema: false }).compile(structuredClone(schema) as object);
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

type Draft = "7" | "2019-09" | "2020-12";

/** The draft that the schema names; 2020-12 when it names none, as the protocol has it. */
function draftOf(schema: unknown): Draft {
  const named = (schema as { readonly $schema?: unknown } | null)?.$schema;
  if (typeof named !== "string") return "2020-12";
  // Draft 4 and 6 differ from 7 in little that a validator minds.
  if (/draft-0?[4-7]\b/.test(named)) return "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

function validatorOf(draft: Draft, options: AjvOptions): Validator {
  switch (draft) {
    case "2020-12":
      return new (load("ajv-2020") as typeof Ajv2020).Ajv2020(options);
    case "2019-09":
      return new (load("ajv-2019") as typeof Ajv2019).Ajv2019(options);
    case "7": {
      const { Ajv } = load("ajv") as typeof Ajv7;
      const ajv = new Ajv(options);
      for (const old of ["http://json-schema.org/draft-04/schema", "http://json-schema.org/draft-06/schema"]) {
        ajv.addMetaSchema({ $id: old, type: ["object", "boolean"] });
      }
      return ajv;
    }
  }
}
