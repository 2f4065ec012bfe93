import { createRequire } from "node:module";
import type { Ajv2020 } from "ajv/dist/2020.js";

/** Packages that most builds never need, loaded when they are first asked for. */
const load = createRequire(import.meta.url);

export function loadYaml(): typeof import("yaml") {
  return load("yaml") as typeof import("yaml");
}

let ajv: Ajv2020 | undefined;

/** What is wrong with a JSON Schema, or nothing. Formats and unknown keywords are carried, as a validator at run time would. */
export function schemaProblem(schema: unknown): string | undefined {
  ajv ??= new (load("ajv/dist/2020.js") as { Ajv2020: new (options: object) => Ajv2020 }).Ajv2020({ strict: false, validateFormats: false, logger: false });
  try {
    ajv.compile(structuredClone(schema) as object);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\s+/g, " ").slice(0, 200) : "it doesn't compile";
  }
}
