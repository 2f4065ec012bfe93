import type * as AjvModule from "ajv/dist/2020.js";
import type * as Yaml from "yaml";

/** Packages that most builds never need, loaded when they are first asked for. */
export interface LazyLibraries {
  readonly yaml: () => typeof Yaml;
  readonly schemaProblem: (schema: unknown) => string | undefined;
}

export function lazyLibraries(): LazyLibraries {
  // Even the module system's own module takes 3 ms to load: it is asked for with the first package.
  const load = (name: string): unknown => process.getBuiltinModule("node:module").createRequire(import.meta.url)(name);
  let ajv: AjvModule.Ajv2020 | undefined;
  return {
    yaml: () => load("yaml") as typeof Yaml,
    schemaProblem: (schema) => {
      ajv ??= newAjv(load);
      return problemOf(schema, ajv);
    },
  };
}

/** Formats and unknown keywords are carried, as the validator at run time carries them. */
function newAjv(load: (name: string) => unknown): AjvModule.Ajv2020 {
  const { Ajv2020: Ajv } = load("ajv/dist/2020.js") as typeof AjvModule;
  return new Ajv({ strict: false, validateFormats: false, logger: false });
}

function problemOf(schema: unknown, ajv: AjvModule.Ajv2020): string | undefined {
  try {
    if (!ajv.validateSchema(schema as object)) {
      const [error] = ajv.errors ?? [];
      return error
        ? `isn't one that a validator takes: \`${error.instancePath || "/"}\` ${error.message}`
        : "isn't a JSON Schema";
    }
    ajv.compile(structuredClone(schema) as object);
    return undefined;
  } catch (error) {
    return error instanceof Error
      ? `doesn't compile: ${error.message.replace(/\s+/g, " ").slice(0, 160)}`
      : "doesn't compile";
  }
}
