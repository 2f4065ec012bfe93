import { createRequire } from "node:module";
import type { Ajv2020 } from "ajv/dist/2020.js";

/** Packages that most builds never need, loaded when they are first asked for. */
export interface LazyLibraries {
  readonly yaml: () => typeof import("yaml");
  readonly schemaProblem: (schema: unknown) => string | undefined;
}

export function lazyLibraries(): LazyLibraries {
  const load = createRequire(import.meta.url);
  let ajv: Ajv2020 | undefined;
  return {
    yaml: () => load("yaml") as typeof import("yaml"),
    schemaProblem: (schema) => {
      ajv ??= newAjv(load);
      return problemOf(schema, ajv);
    },
  };
}

/** Formats and unknown keywords are carried, as the validator at run time carries them. */
function newAjv(load: NodeJS.Require): Ajv2020 {
  const { Ajv2020: Ajv } = load("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  return new Ajv({ strict: false, validateFormats: false, logger: false });
}

function problemOf(schema: unknown, ajv: Ajv2020): string | undefined {
  try {
    if (!ajv.validateSchema(schema as object)) {
      const [error] = ajv.errors ?? [];
      return error ? `at \`${error.instancePath || "/"}\` it ${error.message}` : "isn't a JSON Schema";
    }
    ajv.compile(structuredClone(schema) as object);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `doesn't compile: ${error.message.replace(/\s+/g, " ").slice(0, 160)}` : "doesn't compile";
  }
}
