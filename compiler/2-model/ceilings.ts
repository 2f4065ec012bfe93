import { nearest } from "../base/nearest.ts";
import { within, type Place } from "../base/place.ts";
import type { Report } from "../diagnostics/report.ts";
import type { CeilingBlock } from "../../schemas/types.ts";
import type { ServerLayer } from "./layers.ts";
import { sayManifestNeeded } from "./selectors/manifest-needed.ts";
import type { SelectableServer } from "./selectors/match.ts";
import { presetItems, restrictionItems } from "./selectors/restriction.ts";
import { selectEach, selectGrants, selectRestrictions } from "./selectors/under-server.ts";
import type { Ceiling, Scope } from "./types.ts";
import { unpackTools } from "./written-tools.ts";

export interface LinkedScopes {
  readonly place: Place;
  /** Those in force: together they are the ceiling. */
  readonly active: readonly Scope[];
  /** Those that `scope:` can name: a preset's map may hold more. */
  readonly known: readonly Scope[];
}

/**
 * The scopes of each layer of the project's, or the preset's where the project says none. A list takes its meaning from
 * the newest map below it, from one above where there is none, or from `read:` and `write:`.
 */
export function linkScopes(layers: readonly ServerLayer[], server: SelectableServer, report: Report): LinkedScopes[] {
  const saying = layers.filter(({ block, found }) => block.scopes !== undefined && found !== true);
  const own = saying.filter(({ preset }) => !preset);
  return (own.length > 0 ? own : saying).map((layer) => {
    const upToIt = layers.slice(0, layers.indexOf(layer) + 1);
    return linkLayer(layer, upToIt.some(hasMap) ? upToIt : layers, server, report);
  });
}

function hasMap({ block: { scopes } }: ServerLayer): boolean {
  return scopes !== undefined && !Array.isArray(scopes);
}

function linkLayer(
  layer: ServerLayer,
  upToIt: readonly ServerLayer[],
  server: SelectableServer,
  report: Report,
): LinkedScopes {
  const place = within(layer.place, "scopes");
  const map = mapOf(upToIt, server, report);
  if (!Array.isArray(layer.block.scopes)) return { place, active: map ?? [], known: map ?? [] };
  const active = layer.block.scopes.flatMap((name, i) => listedScope(name, within(place, i), map, server, report));
  return {
    place,
    active,
    known: map ? [...map, ...active.filter((scope) => !map.some((known) => known.name === scope.name))] : active,
  };
}

/** The newest scope map of the layers. A preset's names may be missing from this manifest. */
function mapOf(layers: readonly ServerLayer[], server: SelectableServer, report: Report): Scope[] | undefined {
  const layer = layers.findLast(hasMap);
  if (!layer) return undefined;
  const map = layer.block.scopes as Exclude<ServerLayer["block"]["scopes"], readonly string[] | undefined>;
  return Object.entries(map).map(([name, list]) => {
    const place = within(layer.place, "scopes", name);
    const written = restrictionItems(list, place);
    const items = layer.preset ? presetItems(written, server, report) : written;
    return {
      name,
      place,
      tools: union(selectEach(items, server, report).map((s) => s.tools)),
    };
  });
}

function listedScope(
  name: string,
  place: Place,
  map: readonly Scope[] | undefined,
  server: SelectableServer,
  report: Report,
): Scope[] {
  const mapped = map?.find((scope) => scope.name === name);
  if (mapped) return [mapped];
  const class_ = map ? undefined : /^(read|write):./.exec(name)?.[1];
  if (class_ === undefined) {
    const about = { scope: name, server: `server \`${server.name}\`` };
    const names = map?.map((scope) => scope.name) ?? [];
    const preset = map === undefined && place.origins ? server.knownPreset : undefined;
    if (preset !== undefined)
      report.add("server/unknown-scope", place, { ...about, case: "copy", preset, file: place.file });
    else report.add("server/unknown-scope", place, { ...about, nearest: nearest(name, names), case: "map" });
    return [];
  }
  if (!server.pinned) {
    sayManifestNeeded(`the scope \`${name}\``, server, place, report);
    return [];
  }
  const tools = server.set.tools
    .filter((tool) => tool.hints.readOnly === (class_ === "read"))
    .map((tool) => tool.index);
  const unsaid = server.set.tools.length > 0 && server.set.tools.every(({ changes }) => changes === undefined);
  if (unsaid && class_ === "read")
    report.add("server/unsaid-scope", place, { scope: name, server: server.name, preset: server.knownPreset });
  return [{ name, place, tools }];
}

/** Every restriction that holds for all roles: `tools:` of each layer, and the scopes. */
export function linkCeilings(
  layers: readonly ServerLayer[],
  scopes: readonly LinkedScopes[],
  server: SelectableServer,
  report: Report,
): Ceiling[] {
  const tools: Ceiling[] = layers.flatMap((layer) => {
    const block = layer.block.tools;
    if (block === undefined) return [];
    const place = within(layer.place, "tools");
    if (block === "none" && !layer.preset) report.add("server/closed", place, { server: server.name });
    return [{ kind: "tools" as const, place, tools: ceilingTools(block, place, server, report) }];
  });
  const switched = layers.flatMap(({ block, place }): Ceiling[] =>
    block.enabled === false ? [{ kind: "enabled", place: within(place, "enabled"), tools: [] }] : [],
  );
  return [
    ...switched,
    ...tools,
    ...scopes.map(({ place, active }): Ceiling => ({
      kind: "scopes",
      place,
      tools: union(active.map((scope) => scope.tools)),
    })),
  ];
}

function ceilingTools(block: CeilingBlock, at: Place, server: SelectableServer, report: Report): readonly number[] {
  const { form, place, include, exclude } = unpackTools(block, at, true);
  if (form === "all") return server.set.all;
  if (form === "none") return [];
  if (form === "read-only" && !server.pinned) {
    sayManifestNeeded("`read-only`", server, place, report);
    return [];
  }
  if (form === "read-only") return server.set.tools.filter((tool) => tool.hints.readOnly).map((tool) => tool.index);
  const inside =
    form === "rest" ? server.set.all : union(selectGrants(include, server, place, report).map((s) => s.tools));
  const out = new Set(selectRestrictions(exclude, server, within(at, "exclude"), report).flatMap((s) => s.tools));
  return inside.filter((index) => !out.has(index));
}

function union(lists: readonly (readonly number[])[]): number[] {
  return [...new Set(lists.flat())].sort((a, b) => a - b);
}
