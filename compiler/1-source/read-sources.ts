import { digestOf } from "../base/digest.ts";
import { dependsOn } from "../base/depends-on.ts";
import type { HostData } from "../base/host-data.ts";
import { isObject, type JsonValue } from "../base/json.ts";
import { sortedBy } from "../base/order.ts";
import { COMMAND_OF_DEPENDENTS, DEFAULTS, isSourcePath, presetFile, PROJECT_FILE } from "../base/project-layout.ts";
import type { Report } from "../diagnostics/report.ts";
import type { Preset, Project } from "../../schemas/types.ts";
import { sayBesideFolder } from "./beside-folder.ts";
import { checkFolder } from "./check-folder.ts";
import { checkRoots } from "./check-roots.ts";
import { checkSettings } from "./check-settings.ts";
import { findPresets } from "./found-presets.ts";
import { otherProjectFile } from "./project-file.ts";
import { readImports } from "./read-imports.ts";
import { readInstalled, readJson } from "./read-installed.ts";
import { pinsOf, readManifests } from "./read-manifests.ts";
import { readPrompts } from "./read-prompts.ts";
import { stateDocument, stateManifest } from "./own-state.ts";
import { ANYTHING, readShaped, type SourceReading } from "./read-shaped.ts";
import { settingsOf } from "./settings.ts";
import { holdsUnknown, soundBlocks, without } from "./sound-blocks.ts";
import { sayUnreadFiles } from "./unread-files.ts";
import { openWholeServers } from "./whole-servers.ts";
import type {
  ListedFile,
  Manifest,
  Memories,
  PresetDocument,
  ReadDocument,
  SourceSettings,
  SourceDocument,
  SourceFiles,
  Sources,
} from "./types.ts";

/** Reads everything that a project says. `hosts`: all that there are. Undefined: there is no project to speak of, and the report says why. */
export function readSources(
  files: SourceFiles,
  read: ReadDocument,
  hosts: readonly HostData[],
  memory: Memories | undefined,
  report: Report,
): Sources | undefined {
  const reading: SourceReading = {
    files,
    read,
    hosts,
    memory,
    report,
    broken: new Set(),
    looked: new Set(),
    tokens: [],
  };
  const root = readProject(reading);
  if (!root) return undefined;
  const { settings, written } = root;
  const { folder } = settings;
  const isNamed = written.folder !== undefined;
  checkFolder(folder, { isNamed, mayBeMissing: !isNamed && root.own }, files, report);
  sayBesideFolder(folder, files, read, report);
  const guards = readGuards(written, folder, reading);
  const ofState = stateDocument(settings.state);
  const asWritten = [
    root.document,
    ...sortedBy([...readDocuments(folder, guards, reading), ...guards], (document) => document.file),
    ...readImports(written, settings, reading),
    ...(ofState === undefined ? [] : [ofState]),
  ];
  checkRoots(asWritten, files, report);
  const presetsFound = findPresets(asWritten, folder, reading);
  const presets = readPresets(asWritten, presetsFound, folder, reading);
  const prompts = readPrompts({ documents: asWritten, settings, files, hosts, report });
  const made = stateManifest(settings.state);
  const pins = new Set([...pinsOf(asWritten, presets)].filter((pin) => pin !== made?.pin));
  const misnamed = sayUnreadFiles(folder, { looked: reading.looked, pins, prompts, sure: isSure(reading) }, reading);
  const manifests = readManifests(pins, misnamed, { folder, made }, reading);
  const governing = { documents: asWritten, presets, presetsFound, manifests: manifests.manifests };
  const documents = openWholeServers(governing, report);
  const texts = [...documents, ...presets.values(), ...[...prompts.keys()].map((file) => ({ file }))];
  return {
    settings,
    hosts: written.hosts ?? [],
    documents,
    presets,
    presetsFound,
    prompts,
    installed: readInstalled(documents, presets, files),
    broken: reading.broken,
    tokens: reading.tokens,
    fingerprint: fingerprintOf(texts, [...manifests.manifests.values()], files),
    ...manifests,
  };
}

function fingerprintOf(
  texts: readonly { readonly file: string }[],
  manifests: readonly Manifest[],
  files: SourceFiles,
): string | undefined {
  const digests = texts.map(({ file }) => [file, files.digestOf?.(file)]);
  if (digests.some(([, digest]) => digest === undefined)) return undefined;
  return digestOf(
    JSON.stringify([digests, manifests.map((manifest) => [manifest.pin, manifest.fingerprintBesideTools])]),
  );
}

interface Root {
  readonly written: Project;
  readonly settings: SourceSettings;
  readonly document: SourceDocument;
  /** It holds or names what there is itself, so that no folder of sources is needed. */
  readonly own: boolean;
}

function readProject(reading: SourceReading): Root | undefined {
  const sayMissing = () => {
    const above = reading.files.above?.(PROJECT_FILE);
    reading.report.add("source/no-project", undefined, { other: otherProjectFile(reading.files), above });
  };
  const shaped = readShaped({ path: PROJECT_FILE }, "project", reading, sayMissing);
  if (shaped === undefined) return undefined;
  const { value, faults } = shaped;
  if (!isObject(value)) return undefined;
  const sound = without(
    value,
    faults.filter((path) => path.length > 0 && !isBlock(path[0])).map((path) => String(path[0])),
  );
  if (typeof sound.project !== "string" || sound.version !== 1) return undefined;
  const written = sound as unknown as Project;
  const settings = settingsOf(written, {
    usualCommand: () => usualCommand(written, reading),
    textOf: (file) => {
      const answer = reading.files.read(file);
      return answer.problem === undefined ? answer.text : undefined;
    },
  });
  checkSettings(written, settings, reading);
  return {
    written,
    settings,
    document: { file: PROJECT_FILE, guard: false, blocks: soundBlocks(value, faults, reading.broken) },
    own: Object.keys(value).some((key) => isBlock(key) || key === "imports" || key === "layers") || holdsUnknown(value),
  };
}

/**
 * Its own package.json decides, and not what is installed on a machine: the output is the same on every one. It is read
 * where something that is written starts rolecall: a change of it is a reason to build anew.
 */
function usualCommand({ hosts = [], state }: Project, { files, hosts: known }: SourceReading): readonly string[] {
  const starts = hosts.some((entry) => {
    const { id, via, whenUnenforceable } = typeof entry === "string" ? { id: entry } : entry;
    const isTold = known.find((host) => host.id === id)?.gateway;
    return isTold === "must" || via === "serve" || whenUnenforceable === "gateway";
  });
  const isDependent = (starts || state !== undefined) && dependsOn(readJson("package.json", files), "rolecall");
  return isDependent ? COMMAND_OF_DEPENDENTS : DEFAULTS.serve.command;
}

function isBlock(key: string | number | undefined): boolean {
  return key === "servers" || key === "roles" || key === "policies" || key === "invariants";
}

function readGuards(settings: Project, folder: string, reading: SourceReading): SourceDocument[] {
  const found = new Map<string, ListedFile>();
  (settings.guards ?? []).forEach((glob, i) => {
    const place = { file: PROJECT_FILE, path: ["guards", i] };
    const files = reading.files.match(glob.replaceAll("\\", "/"));
    if (files.length === 0) reading.report.add("source/guard-missing", place, { glob });
    for (const file of files) {
      if (isSourcePath(file.path, folder))
        reading.report.add("source/read-twice", place, { file: file.path, folder, key: "guards" });
      found.set(file.path, file);
    }
  });
  return [...found.values()].flatMap((file) => readBlocks(file, true, reading));
}

function readDocuments(folder: string, guards: readonly SourceDocument[], reading: SourceReading): SourceDocument[] {
  const asGuards = new Set(guards.map((document) => document.file));
  return reading.files
    .list(folder)
    .filter((file) => (file.path === folder || isSourcePath(file.path, folder)) && !asGuards.has(file.path))
    .flatMap((file) => readBlocks(file, false, reading));
}

function readBlocks(file: ListedFile, asGuard: boolean, reading: SourceReading): SourceDocument[] {
  const shaped = readShaped(file, asGuard ? "guard" : "blocks", reading);
  if (shaped === undefined) {
    reading.broken.add(ANYTHING);
    return [];
  }
  const { value, faults } = shaped;
  if (!asGuard && isEmpty(file, value, reading))
    reading.report.add("source/empty", { file: file.path, path: [] }, { file: file.path });
  if (!isObject(value)) return [];
  if (asGuard && faults.length === 0 && value["policies"] === undefined && value["invariants"] === undefined) {
    reading.report.add("source/empty-guard", { file: file.path, path: [] }, { file: file.path });
  }
  return [{ file: file.path, guard: asGuard, blocks: soundBlocks(value, faults, reading.broken) }];
}

/** Not even a comment: one says that nothing is meant. */
function isEmpty({ path }: ListedFile, value: JsonValue, { files }: SourceReading): boolean {
  if (value !== null && !(isObject(value) && Object.keys(value).length === 0)) return false;
  const answer = files.read(path);
  return answer.problem === undefined && answer.text.trim() === "";
}

function readPresets(
  documents: readonly SourceDocument[],
  found: ReadonlyMap<string, string>,
  folder: string,
  reading: SourceReading,
): ReadonlyMap<string, PresetDocument> {
  const presets = new Map<string, PresetDocument>();
  const named = documents.flatMap((d) =>
    Object.values(d.blocks.servers ?? {}).flatMap((s) => (s.preset === undefined ? [] : [s.preset])),
  );
  const wanted = new Set([...named, ...found.values()]);
  for (const id of [...wanted].sort()) {
    const file = presetFile(folder, id);
    let isThere = true;
    const shaped = readShaped({ path: file }, "preset", reading, () => {
      isThere = false;
    });
    const value = shaped?.value;
    if (!isThere) continue;
    if (shaped === undefined || shaped.faults.length > 0) reading.broken.add(`presets.${id}`);
    else if ((value as unknown as Preset).id !== id) {
      reading.report.add(
        "source/wrong-value",
        { file, path: ["id"] },
        { value: (value as unknown as Preset).id, expected: `the name of its file, \`${id}\`` },
      );
      reading.broken.add(`presets.${id}`);
    } else presets.set(id, { file, preset: value as unknown as Preset });
  }
  return presets;
}

/** Whether it is known which presets servers name. */
function isSure({ broken }: SourceReading): boolean {
  return ![...broken].some((name) => name === ANYTHING || name.startsWith("servers."));
}
