import type { Report } from "../diagnostics/report.ts";
import { linkScopes } from "./ceilings.ts";
import type { ServerLayer } from "./layers.ts";
import { matchAll, matchPart, toolSet, type SelectableServer, type ToolSet } from "./selectors/match.ts";
import type { SelectorPart } from "./selectors/parse.ts";
import { labelled, type ServerFacts } from "./tools.ts";
import type { Tool } from "./types.ts";

/**
 * A server as rules see it that the project can't take back (guards, and policies of presets). `views`: its tools by each
 * word on their hints, with the scopes and labels as without and with the project's; the project's own reading is the last.
 */
export interface GuardedServer extends SelectableServer {
  readonly views: readonly ToolSet[];
  /** Scopes and labels that the project alone declares, as they are selected: `label:private-data`. */
  readonly ownWords: ReadonlySet<string>;
}

export function guarded(
  server: SelectableServer,
  layers: readonly ServerLayer[],
  facts: ServerFacts,
  report: Report,
): GuardedServer {
  const quiet: Report = { ...report, add: () => undefined };
  const declared = new Set(layers.filter(({ preset }) => preset).flatMap(wordsOf));
  const own = layers.filter(({ preset }) => !preset).flatMap(wordsOf);
  const readings = hintViews(server.set.tools).flatMap((tools) =>
    layers.map((_, i) => ({ tools, upTo: layers.slice(0, i + 1) })),
  );
  const others = readings.slice(0, -1).map(({ tools, upTo }) => {
    const seen = labelled(tools, upTo, facts, quiet);
    const scopes = linkScopes(upTo, { ...server, set: toolSet(seen, []) }, quiet);
    return toolSet(seen, scopes.at(-1)?.known ?? []);
  });
  return {
    ...server,
    views: [...others, server.set],
    ownWords: new Set(own.filter((word) => !declared.has(word))),
  };
}

/** The tools by each word on their hints: once, where nobody writes any. */
function hintViews(tools: readonly Tool[]): Tool[][] {
  const words = tools.reduce((most, { hintsSaid }) => Math.max(most, hintsSaid.length), 1);
  return Array.from({ length: words }, (_, i) =>
    tools.map((tool) => ({ ...tool, labels: [], hints: tool.hintsSaid[i] ?? tool.hints })),
  );
}

function wordsOf({ block: { scopes = {}, labels = {} } }: ServerLayer): string[] {
  const names = Array.isArray(scopes) ? scopes : Object.keys(scopes);
  return [...names.map((name) => `scope:${name}`), ...Object.keys(labels).map((name) => `label:${name}`)];
}

/** What any of the words selects: nothing that the project adds makes a restriction smaller. */
export function matchByAny(part: SelectorPart, { views }: GuardedServer): readonly number[] {
  const found = new Set(views.flatMap((set) => matchPart(part, { set })));
  return [...found].sort((a, b) => a - b);
}

/** What a rule demands to be held: a class holds for a tool when all words say so. */
export function matchByEach(part: SelectorPart, server: GuardedServer): readonly number[] {
  return part.kind === "is" ? matchAll(server.views.map((set) => matchPart(part, { set }))) : matchPart(part, server);
}
