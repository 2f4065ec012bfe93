import type { JsonObject } from "../base/json.ts";
import { nearest } from "../base/nearest.ts";
import type { ServerName, ToolName } from "../base/names.ts";
import { sorted } from "../base/order.ts";
import { patternJudge, slowness } from "../base/slow-schema.ts";
import { keyOf, within } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Manifest } from "../1-source/types.ts";
import type { ServerBlock } from "../../schemas/types.ts";
import { definedBy } from "./definition.ts";
import { stableText } from "../base/stable-text.ts";
import { resolveHints, saidToChange, saidToReachOut, type WrittenHints } from "./hints.ts";
import { sayManifestNeeded } from "./selectors/manifest-needed.ts";
import { toolSet, type SelectableServer } from "./selectors/match.ts";
import { presetItems, restrictionItems } from "./selectors/restriction.ts";
import { selectEach } from "./selectors/under-server.ts";
import type { Tool, SchemaCheck } from "./types.ts";
import type { ServerLayer } from "./layers.ts";

export type ServerFacts = Omit<SelectableServer, "set" | "labels">;

/** The tools of a server with their hints, labels and result schemas; without a manifest, those that roles name. */
export function linkTools(
  layers: readonly ServerLayer[],
  manifest: Manifest | undefined,
  about: ServerFacts,
  named: ReadonlySet<string>,
  checkSchema: SchemaCheck,
  report: Report,
): { tools: Tool[]; labels: string[] } {
  const hints = linkHints(layers, manifest, about, report);
  const results = linkResults(layers, manifest, about, checkSchema, report);
  const bare = manifest
    ? manifest.tools.map((tool, index) => pinned(tool, index, about, hints, results))
    : sorted(named).map((name, index) => unpinned(name, index, about, hints));
  const tools = labelled(bare, layers, about, report);
  return { tools, labels: sorted(new Set(layers.flatMap((layer) => Object.keys(layer.block.labels ?? {})))) };
}

export function labelled(
  bare: readonly Tool[],
  layers: readonly ServerLayer[],
  about: ServerFacts,
  report: Report,
): Tool[] {
  const byTool = linkLabels(layers, { ...about, labels: [], set: toolSet(bare, []) }, report);
  return bare.map((tool) => (byTool.has(tool.index) ? { ...tool, labels: sorted(byTool.get(tool.index)!) } : tool));
}

function pinned(
  tool: Manifest["tools"][number],
  index: number,
  about: ServerFacts,
  hints: ReadonlyMap<string, Authors>,
  results: ReadonlyMap<string, string>,
): Tool {
  const result = tool.promisesResult ? undefined : results.get(tool.name);
  const authors = hints.get(tool.name);
  const said = hintsOf(tool.annotations, authors);
  return {
    server: about.name as ServerName,
    name: tool.name,
    index,
    at: tool.at,
    digest: tool.digest,
    ...definedBy(result === undefined ? tool.texts : () => ({ ...tool.texts(), outputSchema: result })),
    resultFrom: tool.promisesResult ? "server" : result ? "project" : undefined,
    annotations: tool.annotations,
    ...said,
    labels: [],
    choice: tool.choice,
    contradiction: said.hints.readOnly && authors?.at(-1)?.readOnly === undefined ? tool.contradiction : undefined,
    slow: tool.slow ?? slowResult(result),
  };
}

/** What the preset wrote of a tool, then that with what the project wrote over it. */
type Authors = readonly WrittenHints[];

function hintsOf(
  annotations: JsonObject,
  authors: Authors = [],
): Pick<Tool, "hints" | "hintsSaid" | "changes" | "reachesOut"> {
  const hintsSaid = [undefined, ...authors].map((author) => resolveHints(annotations, author));
  const last = authors.at(-1);
  return {
    hints: hintsSaid.at(-1)!,
    hintsSaid,
    changes: saidToChange(annotations, last),
    reachesOut: saidToReachOut(annotations, last),
  };
}

function slowResult(schema: string | undefined): string | undefined {
  const why = schema && slowness(JSON.parse(schema) as JsonObject, schema, patternJudge(schema.length));
  return why && `schema in \`results\` ${why}`;
}

function unpinned(name: string, index: number, about: ServerFacts, hints: ReadonlyMap<string, Authors>): Tool {
  return {
    server: about.name as ServerName,
    name: name as ToolName,
    index,
    digest: null,
    ...definedBy(() => ({ title: undefined, description: undefined, inputSchema: "{}", outputSchema: undefined })),
    resultFrom: undefined,
    ...hintsOf({}, hints.get(name)),
    labels: [],
    choice: undefined,
    contradiction: undefined,
    slow: undefined,
  };
}

/** Hints of all layers, united field by field; the project's own win over the preset's. */
function linkHints(
  layers: readonly ServerLayer[],
  manifest: Manifest | undefined,
  about: ServerFacts,
  report: Report,
): Map<string, Authors> {
  const hints = new Map<string, Authors>();
  for (const layer of layers) {
    for (const [tool, written] of Object.entries(layer.block.hints ?? {})) {
      checkToolKey(tool, "hints", layer, manifest, about, report);
      const before = hints.get(tool) ?? [];
      hints.set(tool, [...before, { ...before.at(-1), ...written }]);
    }
  }
  return hints;
}

function linkResults(
  layers: readonly ServerLayer[],
  manifest: Manifest | undefined,
  about: ServerFacts,
  checkSchema: SchemaCheck,
  report: Report,
): Map<string, string> {
  const results = new Map<string, string>();
  for (const layer of layers) {
    for (const [tool, schema] of Object.entries(layer.block.results ?? ({} as NonNullable<ServerBlock["results"]>))) {
      checkToolKey(tool, "results", layer, manifest, about, report);
      const promised = manifest?.tools.find((known) => known.name === tool)?.promisesResult;
      const problem = promised
        ? "would replace what the server promises"
        : schema === false
          ? "accepts no result at all"
          : checkSchema(schema, "result");
      const place = within(layer.place, "results", tool);
      if (problem) report.add("server/bad-result", place, { tool, problem, promised: promised ? tool : undefined });
      results.set(tool, typeof schema === "boolean" ? "{}" : stableText(schema as JsonObject));
    }
  }
  return results;
}

function checkToolKey(
  tool: string,
  key: "hints" | "results",
  layer: ServerLayer,
  manifest: Manifest | undefined,
  about: ServerFacts,
  report: Report,
): void {
  const place = keyOf(within(layer.place, key, tool));
  if (!manifest) {
    sayManifestNeeded(`\`${key}\``, about, place, report);
  } else if (!manifest.tools.some((known) => known.name === tool)) {
    if (layer.preset)
      report.add("server/preset-name-missing", place, { preset: layer.place.file, tool, server: about.name });
    else
      report.add("server/not-a-tool", place, {
        key,
        tool,
        server: about.name,
        nearest: nearest(
          tool,
          manifest.tools.map((known) => known.name),
        ),
      });
  }
}

function linkLabels(
  layers: readonly ServerLayer[],
  server: SelectableServer,
  report: Report,
): Map<number, Set<string>> {
  const byTool = new Map<number, Set<string>>();
  for (const layer of layers) {
    for (const [label, list] of Object.entries(layer.block.labels ?? {})) {
      const written = restrictionItems(list, within(layer.place, "labels", label));
      const items = layer.preset ? presetItems(written, server, report) : written;
      for (const index of selectEach(items, server, report).flatMap((selection) => selection.tools)) {
        byTool.set(index, (byTool.get(index) ?? new Set()).add(label));
      }
    }
  }
  return byTool;
}
