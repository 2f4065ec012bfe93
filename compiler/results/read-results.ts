import { nearest } from "../base/nearest.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import type { ReadResults, ResultLibraries, ResultProblem, ToolResultSchema } from "./types.ts";
import { schemasIn, type FoundSchema } from "./zod-schemas.ts";

/** Of each server of the project its tools, each with whether it promises a result itself; undefined where nothing is pinned. */
export type KnownTools = ReadonlyMap<string, ReadonlyMap<string, { readonly promises: boolean }> | undefined>;

/** `server`: whose tools the exports are that name no server. */
export function readResults(
  exports: object,
  { server, known }: { readonly server: string | undefined; readonly known: KnownTools },
  libraries: ResultLibraries,
): ReadResults {
  const results: ToolResultSchema[] = [];
  const problems: ResultProblem[] = [];
  const notes: ResultProblem[] = [];
  const taken = new Set<string>();
  for (const found of schemasIn(exports)) {
    const at = found.server === undefined ? found.tool : `${found.server}.${found.tool}`;
    const owner = found.server ?? server;
    const why = misplaced(found, owner, known) ?? (taken.has(`${owner}.${found.tool}`) ? TWICE : undefined);
    const converted = why === undefined ? jsonSchemaOf(found, libraries) : { why };
    if (converted.why !== undefined) {
      problems.push({ at, why: converted.why });
      continue;
    }
    taken.add(`${owner}.${found.tool}`);
    results.push({ server: owner!, tool: found.tool, schema: converted.schema });
    notes.push(...converted.notes.map((note) => ({ at, why: note })));
  }
  return { results, problems, notes };
}

const TWICE = "has another schema in this module";

function misplaced({ tool }: FoundSchema, server: string | undefined, known: KnownTools): string | undefined {
  if (server === undefined) return "names no server: say whose tool it is with --server NAME";
  if (!known.has(server)) return `\`${server}\` is no server of the project${meant(server, known.keys())}`;
  const tools = known.get(server);
  if (tools === undefined) return undefined;
  const named = tools.get(tool);
  if (named === undefined) return `\`${tool}\` is not a tool of \`${server}\`${meant(tool, tools.keys())}`;
  return named.promises ? `\`${tool}\` has a result schema of its own: leave this export out` : undefined;
}

function meant(name: string, known: Iterable<string>): string {
  const near = nearest(name, known);
  return near === undefined ? "" : `; did you mean \`${near}\`?`;
}
