import type { JsonObject } from "../base/json.ts";

/**
 * What the schemas of a module become. A schema is here whole or not at all: what can't be said in JSON Schema is a
 * problem or, where the rest still restricts, a note.
 */
export interface ReadResults {
  readonly results: readonly ToolResultSchema[];
  /** Why some schemas aren't here. */
  readonly problems: readonly ResultProblem[];
  /** What was left out of schemas that are here. */
  readonly notes: readonly ResultProblem[];
}

export interface ToolResultSchema {
  readonly server: string;
  readonly tool: string;
  readonly schema: JsonObject;
}

export interface ResultProblem {
  /** The export, and the way within: `github.list_issues`, `list_issues/items`. */
  readonly at: string;
  readonly why: string;
}

/** The packages that know how, loaded by whoever calls. */
export interface ResultLibraries {
  /** For schemas of Zod 3; it must never be given one of Zod 4. */
  zod3(): {
    zodToJsonSchema(schema: object, options: Zod3Options): unknown;
    readonly ignoreOverride: symbol;
  };
  /** Zod's own export, of the user's Zod 4; undefined where the module has no such package beside it. */
  readonly zod4: ((schema: object, options: Zod4Options) => unknown) | undefined;
}

interface Zod3Options {
  readonly override: (def: unknown, refs: { readonly currentPath: readonly string[] }, seen: unknown) => unknown;
  readonly [option: string]: unknown;
}

interface Zod4Options {
  readonly override: (about: { readonly zodSchema: unknown; readonly path?: readonly unknown[] }) => void;
  readonly [option: string]: unknown;
}
