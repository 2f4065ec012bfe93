import { digestOf } from "../base/digest.ts";
import { milliseconds } from "../base/duration.ts";
import type { ServerName } from "../base/names.ts";
import { nearest } from "../base/nearest.ts";
import { sorted } from "../base/order.ts";
import { keyOf, within } from "../base/place.ts";
import { knownPreset } from "../base/known-presets.ts";
import { manifestFile, presetFile } from "../base/project-layout.ts";
import { reachedIn } from "../base/reached.ts";
import type { Report } from "../diagnostics/report.ts";
import type { PresetDocument, Sources } from "../1-source/types.ts";
import type { ServerBlock } from "../../schemas/types.ts";
import { linkAddressCeilings } from "./addresses.ts";
import { linkCeilings, linkScopes } from "./ceilings.ts";
import { linkConnect } from "./connect.ts";
import type { Declared } from "./declarations.ts";
import { guarded, type GuardedServer } from "./guard-views.ts";
import { lastSaid, type ServerLayer } from "./layers.ts";
import { toolSet, type SelectableServer } from "./selectors/match.ts";
import { parseTemplate } from "./template.ts";
import { linkTools } from "./tools.ts";
import type { Limits, ManifestFacts, Server, Transport, SchemaCheck } from "./types.ts";
import { linkVariables } from "./variables.ts";

export interface LinkedServer {
  readonly server: Server;
  readonly selected: GuardedServer;
}

type Written = Pick<Declared<ServerBlock>, "block" | "place">;

/** `named`: tools that roles name exactly; all that is known of a server without a manifest. */
export function linkServer(
  declared: Declared<ServerBlock>,
  sources: Sources,
  named: ReadonlySet<string>,
  checkSchema: SchemaCheck,
  report: Report,
): LinkedServer {
  const written = [...declared.under, declared];
  const presets = findPresets(written, sources, report);
  const preset = presets.at(-1);
  const found = preset === undefined ? sources.presets.get(sources.presetsFound.get(declared.name) ?? "") : undefined;
  const layers = layersOf(presets, found, written);
  const shared = lastSaid(layers, "manifest");
  const pin = shared?.value ?? declared.name;
  const manifest = sources.manifests.get(pin);
  const about = {
    name: declared.name as ServerName,
    title: lastSaid(layers, "title")?.value,
    knownPreset: knownPreset(layers.flatMap(({ block }) => reachedIn(block.connect ?? []))),
    pinned: manifest !== undefined,
    off: layers.some(({ block }) => block.enabled === false),
    unreadable: sources.refusedManifests.has(pin),
    manifestFile: manifestFile(sources.settings.folder, pin),
    preset: preset && { id: preset.preset.id, file: preset.file, named: within(declared.place, "preset") },
  };
  if (shared && !manifest && !about.unreadable) {
    const params = { server: declared.name, pin, file: about.manifestFile };
    const near = nearest(pin, sources.manifestNames);
    report.add("manifest/no-such-pin", within(shared.place, "manifest"), { ...params, nearest: near });
  }
  const { tools, labels } = linkTools(layers, manifest, about, named, checkSchema, report);
  const selectable: SelectableServer = { ...about, labels, set: toolSet(tools, []) };
  const scopes = linkScopes(layers, selectable, report);
  const known = scopes.at(-1)?.known ?? [];
  const selected: SelectableServer = { ...selectable, set: toolSet(tools, known) };
  const isMissed = presets.length === 0 && written.some(({ block }) => block.preset !== undefined);
  const connect = linkTransports(layers, declared, isMissed, report);
  const said = lastSaid(layers, "root");
  const root = said && parseTemplate(said.value, within(said.place, "root"), report);
  const server: Server = {
    name: about.name,
    place: declared.place,
    preset: preset?.preset.id ?? declared.block.preset ?? found?.preset.id,
    givesWay: declared.layer && written.every(({ block }) => Object.keys(block).every((key) => key === "preset")),
    title: about.title ?? preset?.preset.title,
    version: lastSaid(layers, "version")?.value,
    description: lastSaid(layers, "description")?.value,
    product: linkProduct(layers),
    connect,
    root,
    limits: linkLimits(layers),
    breaker: linkBreaker(layers),
    cacheMs: cacheMsOf(lastSaid(layers, "cache")),
    connection: lastSaid(layers, "connection")?.value ?? "project",
    mustConnect: lastSaid(layers, "mustConnect")?.value ?? false,
    whenDown: lastSaid(layers, "whenDown")?.value,
    owner: lastSaid(layers, "owner")?.value,
    pin,
    manifest: manifest && { file: manifest.file, fingerprint: manifest.fingerprint, ...factsOf(manifest) },
    tools,
    ceilings: linkCeilings(layers, scopes, selected, report),
    addresses: linkAddressCeilings(layers, declared.name, report),
    scopes: scopes.at(-1)?.active,
    knownScopes: sorted(known.map((scope) => scope.name)),
    labels,
    variables: linkVariables(connect, root, (preset ?? found)?.preset.variables ?? []),
    notes: [(preset ?? found)?.preset.notes ?? [], lastSaid(layers, "notes")?.value ?? []].flat(),
  };
  return { server, selected: guarded(selected, layers, about, report) };
}

/** What was found for a server lies lowest, then presets that are named, then what is written. */
function layersOf(
  presets: readonly PresetDocument[],
  found: PresetDocument | undefined,
  written: readonly Written[],
): ServerLayer[] {
  return [
    ...(found === undefined ? [] : [knownOf(found)]),
    ...presets.map(({ preset, file }) => ({ block: preset.server, place: { file, path: ["server"] }, preset: true })),
    ...written.map(({ block, place }) => ({ block, place, preset: false })),
  ];
}

/** What a preset knows of the tools: how the server is reached and run, the file says itself. */
function knownOf({ file, preset: { server } }: PresetDocument): ServerLayer {
  const { tools, scopes, labels, hints } = server;
  return { block: { tools, scopes, labels, hints }, place: { file, path: ["server"] }, preset: true, found: true };
}

/** The lowest first; mostly there is one. */
function findPresets(written: readonly Written[], sources: Sources, report: Report): PresetDocument[] {
  const found = new Set<PresetDocument>();
  for (const { block, place } of written) {
    const id = block.preset;
    if (id === undefined) continue;
    const preset = sources.presets.get(id);
    const file = presetFile(sources.settings.folder, id);
    if (preset) found.add(preset);
    else if (!sources.broken.has(`presets.${id}`))
      report.add("server/unknown-preset", within(place, "preset"), { preset: id, file });
  }
  return [...found];
}

function linkTransports(
  layers: readonly ServerLayer[],
  declared: Declared<ServerBlock>,
  presetIsMissed: boolean,
  report: Report,
): Transport[] {
  const connect = lastSaid(layers, "connect");
  if (connect) return linkConnect(connect.value, within(connect.place, "connect"), report);
  if (!presetIsMissed) report.add("server/no-connection", keyOf(declared.place), { server: declared.name });
  return [];
}

function cacheMsOf(said: { readonly value: string } | undefined): number | undefined {
  return said && milliseconds(said.value);
}

function linkProduct(layers: readonly ServerLayer[]): Server["product"] {
  const said = layers.flatMap(({ block: { product } }) =>
    typeof product === "string" ? { id: product } : (product ?? []),
  );
  const last = (key: "id" | "name") => said.findLast((one) => one[key] !== undefined)?.[key];
  return { id: last("id"), name: last("name") };
}

function linkLimits(layers: readonly ServerLayer[]): Limits {
  const limits = Object.assign({}, ...layers.map((layer) => layer.block.limits)) as NonNullable<ServerBlock["limits"]>;
  return {
    timeoutMs: milliseconds(limits.timeout ?? "30s"),
    ratePerMinute: limits.ratePerMinute,
    concurrency: limits.concurrency,
  };
}

function linkBreaker(layers: readonly ServerLayer[]): Server["breaker"] {
  const breaker = Object.assign({}, ...layers.map((layer) => layer.block.breaker)) as NonNullable<
    ServerBlock["breaker"]
  >;
  return { failures: breaker.failures ?? 3, cooldownMs: milliseconds(breaker.cooldown ?? "60s") };
}

function factsOf(
  manifest: NonNullable<ReturnType<Sources["manifests"]["get"]>>,
): Omit<ManifestFacts, "file" | "fingerprint"> {
  const version = manifest.serverInfo?.["version"];
  return {
    instructions: manifest.instructions,
    instructionsDigest: manifest.instructions === undefined ? undefined : digestOf(manifest.instructions),
    capabilities: manifest.capabilities,
    serverVersion: typeof version === "string" ? version : undefined,
  };
}
