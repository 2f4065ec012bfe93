import type { JsonObject } from "../../base/json.ts";
import type { ReadResults, ToolResultSchema } from "../../results/types.ts";

/** As they stand under `servers:`. */
export function resultBlocks(results: readonly ToolResultSchema[]): JsonObject {
  const servers = new Map<string, [string, JsonObject][]>();
  for (const { server, tool, schema } of results) servers.set(server, [...(servers.get(server) ?? []), [tool, schema]]);
  return Object.fromEntries([...servers].map(([server, tools]) => [server, { results: Object.fromEntries(tools) }]));
}

export function resultsJson({ results, problems, notes }: ReadResults, wrote: readonly string[]): JsonObject {
  return {
    format: 1,
    servers: resultBlocks(results),
    problems: problems.map(({ at, why }) => ({ at, why })),
    notes: notes.map(({ at, why }) => ({ at, why })),
    wrote: [...wrote],
  };
}
