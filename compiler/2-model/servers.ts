import { digestOf } from "../base/digest.ts";
import type { ServerName } from "../base/names.ts";
import { nearest } from "../base/nearest.ts";
import { sorted } from "../base/order.ts";
import { keyOf, within } from "../base/place.ts";
import { manifestFile, presetFile } from "../base/project-layout.ts";
import type { Report } from "../diagnostics/report.ts";
import type { PresetDocument, Sources } from "../1-source/types.ts";
import type { ServerBlock } from "../../schemas/types.ts";
import { linkCeilings, linkScopes } from "./ceilings.ts";
import { linkConnect } from "./connect.ts";
import type { Declared } from "./declarations.ts";
import { milliseconds } from "./duration.ts";
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

/** `named`: tools that roles name exactly; all that is known of a server without a manifest. */
export function linkServer(
  declared: Declared<ServerBlock>,
  sources: Sources,
  named: ReadonlySet<string>,
  checkSchema: SchemaCheck,
  report: Report,
): LinkedServer {
  const preset = findPreset(declared, sources, report);
  const layers: ServerLayer[] = [...declared.under, declared].map(({ block, place }) => ({
    block,
    place,
    preset: false,
  }));
  if (preset)
    layers.unshift({ block: preset.preset.server, place: { file: preset.file, path: ["server"] }, preset: true });
  const shared = lastSaid(layers, "manifest");
  const pin = shared?.value ?? declared.name;
  const manifest = sources.manifests.get(pin);
  const about = {
    name: declared.name as ServerName,
    pinned: manifest !== undefined,
    unreadable: sources.refusedManifests.has(pin),
    manifestFile: manifestFile(sources.settings.folder, pin),
  };
  if (shared && !manifest && !about.unreadable) {
    const near = nearest(pin, sources.manifestNames);
    report.add("manifest/no-such-pin", within(shared.place, "manifest"), {
      server: declared.name,
      pin,
      file: about.manifestFile,
      nearest: near,
    });
  }
  const { tools, labels } = linkTools(layers, manifest, about, named, checkSchema, report);
  const selectable: SelectableServer = { ...about, labels, set: toolSet(tools, []) };
  const scopes = linkScopes(layers, selectable, report);
  const known = scopes.at(-1)?.known ?? [];
  const selected: SelectableServer = { ...selectable, set: toolSet(tools, known) };
  const connect = linkTransports(layers, declared, preset, report);
  const written = lastSaid(layers, "root");
  const cache = lastSaid(layers, "cache");
  const root = written && parseTemplate(written.value, within(written.place, "root"), report);
  const server: Server = {
    name: about.name,
    place: declared.place,
    preset: declared.block.preset,
    title: lastSaid(layers, "title")?.value ?? preset?.preset.title,
    description: lastSaid(layers, "description")?.value,
    product: linkProduct(layers),
    connect,
    root,
    limits: linkLimits(layers),
    breaker: linkBreaker(layers),
    cacheMs: cache && milliseconds(cache.value),
    connection: lastSaid(layers, "connection")?.value ?? "project",
    mustConnect: lastSaid(layers, "mustConnect")?.value ?? false,
    whenDown: lastSaid(layers, "whenDown")?.value,
    owner: lastSaid(layers, "owner")?.value,
    pin,
    manifest: manifest && { file: manifest.file, fingerprint: manifest.fingerprint, ...factsOf(manifest) },
    tools,
    ceilings: linkCeilings(layers, scopes, selected, report),
    scopes: scopes.at(-1)?.active,
    knownScopes: sorted(known.map((scope) => scope.name)),
    labels,
    variables: linkVariables(connect, root, preset?.preset.variables ?? []),
    notes: [preset?.preset.notes ?? []].flat(),
  };
  return { server, selected: guarded(selected, layers, about, report) };
}

function findPreset(declared: Declared<ServerBlock>, sources: Sources, report: Report): PresetDocument | undefined {
  const id = declared.block.preset;
  if (id === undefined) return undefined;
  const preset = sources.presets.get(id);
  const file = presetFile(sources.settings.folder, id);
  if (!preset && !sources.broken.has(`presets.${id}`))
    report.add("server/unknown-preset", within(declared.place, "preset"), { preset: id, file });
  return preset;
}

function linkTransports(
  layers: readonly ServerLayer[],
  declared: Declared<ServerBlock>,
  preset: PresetDocument | undefined,
  report: Report,
): Transport[] {
  const connect = lastSaid(layers, "connect");
  if (connect) return linkConnect(connect.value, within(connect.place, "connect"), report);
  if (preset || declared.block.preset === undefined)
    report.add("server/no-connection", keyOf(declared.place), { server: declared.name });
  return [];
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
