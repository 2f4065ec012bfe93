import { digestOf } from "../base/digest.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { nearest } from "../base/nearest.ts";
import { sortedBy } from "../base/order.ts";
import { isSourcePath, manifestsFolder, presetFile, PROJECT_FILE } from "../base/project-layout.ts";
import type { Report } from "../diagnostics/report.ts";
import { blocks, guard, preset, project } from "../../schemas/project.ts";
import type { Preset, Project } from "../../schemas/types.ts";
import { sayBesideFolder } from "./beside-folder.ts";
import { checkFolder } from "./check-folder.ts";
import { checkSettings } from "./check-settings.ts";
import { fileProblem } from "./file-words.ts";
import { otherProjectFile } from "./project-file.ts";
import { readInstalled } from "./read-installed.ts";
import { readManifest, recallManifest } from "./read-manifest.ts";
import { readPrompts } from "./read-prompts.ts";
import { settingsOf } from "./settings.ts";
import { createShelf } from "./shelf.ts";
import { checkShape } from "./shape.ts";
import type {
  ListedFile,
  Manifest,
  Memories,
  PresetDocument,
  ReadDocument,
  Settings,
  SoundBlocks,
  SourceDocument,
  SourceFiles,
  Sources,
  WrittenToken,
} from "./types.ts";
import { writtenTokens } from "./written-tokens.ts";

/** In `broken`: a whole document couldn't be read, so any name may have been declared there. */
const ANYTHING = "*";

/** Reads everything that a project says. Undefined: there is no project to speak of, and the report says why. */
export function readSources(
  files: SourceFiles,
  read: ReadDocument,
  memory: Memories | undefined,
  report: Report,
): Sources | undefined {
  const reading: Reading = { files, read, memory, report, broken: new Set(), tokens: [] };
  const root = readProject(reading);
  if (!root) return undefined;
  const { settings, written } = root;
  const { folder } = settings;
  const isNamed = written.folder !== undefined;
  checkFolder(folder, { isNamed, mayBeMissing: !isNamed && root.own }, files, report);
  sayBesideFolder(folder, files, read, report);
  const guards = readGuards(written, folder, reading);
  const documents = [
    root.document,
    ...sortedBy([...readDocuments(folder, guards, reading), ...guards], (document) => document.file),
  ];
  const presets = readPresets(documents, folder, reading);
  const prompts = readPrompts({ documents, settings, files, report });
  const manifests = readManifests(documents, presets, folder, reading);
  const texts = [...documents, ...presets.values(), ...[...prompts.keys()].map((file) => ({ file }))];
  return {
    settings,
    hosts: written.hosts ?? [],
    documents,
    presets,
    prompts,
    installed: readInstalled(documents, presets, files),
    broken: reading.broken,
    tokens: reading.tokens,
    saidIn: saidIn(texts, [...manifests.manifests.values()], files),
    ...manifests,
  };
}

function saidIn(
  texts: readonly { readonly file: string }[],
  manifests: readonly Manifest[],
  files: SourceFiles,
): string | undefined {
  const digests = texts.map(({ file }) => [file, files.digestOf?.(file)]);
  if (digests.some(([, digest]) => digest === undefined)) return undefined;
  return digestOf(JSON.stringify([digests, manifests.map((manifest) => [manifest.pin, manifest.saidIn])]));
}

interface Reading {
  readonly files: SourceFiles;
  readonly read: ReadDocument;
  readonly memory: Memories | undefined;
  readonly report: Report;
  readonly broken: Set<string>;
  readonly tokens: WrittenToken[];
}

interface Root {
  readonly written: Project;
  readonly settings: Settings;
  readonly document: SourceDocument;
  /** It holds or names what there is itself, so that no folder of sources is needed. */
  readonly own: boolean;
}

function readProject(reading: Reading): Root | undefined {
  const answer = reading.files.read(PROJECT_FILE);
  if (answer.problem === "missing") {
    const above = reading.files.above?.(PROJECT_FILE);
    reading.report.add("source/no-project", undefined, { other: otherProjectFile(reading.files), above });
    return undefined;
  }
  const shaped = readShaped({ path: PROJECT_FILE }, "project", reading);
  if (shaped === undefined) return undefined;
  const { value, faults } = shaped;
  if (!isObject(value)) return undefined;
  const sound = without(
    value,
    faults.filter((path) => path.length > 0 && !isBlock(path[0])).map((path) => String(path[0])),
  );
  if (typeof sound.project !== "string" || sound.version !== 1) return undefined;
  const written = sound as unknown as Project;
  const settings = settingsOf(written);
  checkSettings(written, settings, reading.report);
  return {
    written,
    settings,
    document: { file: PROJECT_FILE, guard: false, blocks: soundBlocks(value, faults, reading.broken) },
    own: Object.keys(value).some((key) => isBlock(key) || key === "imports" || key === "layers"),
  };
}

function isBlock(key: string | number | undefined): boolean {
  return key === "servers" || key === "roles" || key === "policies" || key === "invariants";
}

function readValue(file: ListedFile, { files, read, report, tokens }: Reading): JsonValue | undefined {
  const answer = file.problem ? { problem: file.problem } : files.read(file.path);
  if (answer.problem === undefined) {
    tokens.push(...writtenTokens(file.path, answer.text));
    return read(file.path, answer.text, report);
  }
  report.add("source/unreadable", undefined, { file: file.path, ...fileProblem(answer.problem) });
  return undefined;
}

interface Shaped {
  readonly value: JsonValue;
  /** Paths of what isn't as the schema says. */
  readonly faults: readonly (readonly (string | number)[])[];
}

const schemas = { project, blocks, guard, preset };

/** A document held against its schema; undefined when it can't be read. One with nothing to say about isn't read again. */
function readShaped(file: ListedFile, as: keyof typeof schemas, reading: Reading): Shaped | undefined {
  const { files, report } = reading;
  const documents = reading.memory?.documents;
  const key = (digest: string | undefined) => (digest === undefined ? undefined : `${as} ${file.path} ${digest}`);
  const before = documents && file.problem === undefined ? key(files.digestOf?.(file.path)) : undefined;
  const known = before === undefined ? undefined : documents?.recall(before);
  if (known !== undefined) return { value: known, faults: [] };
  const said = report.count + reading.tokens.length;
  const value = readValue(file, reading);
  if (value === undefined) return undefined;
  const faults = checkShape(schemas[as], value, file.path, report);
  const now = key(files.digestOf?.(file.path));
  if (now !== undefined && report.count + reading.tokens.length === said) documents?.remember(now, value);
  return { value, faults };
}

function readGuards(settings: Project, folder: string, reading: Reading): SourceDocument[] {
  const found = new Map<string, ListedFile>();
  (settings.guards ?? []).forEach((glob, i) => {
    const place = { file: PROJECT_FILE, path: ["guards", i] };
    const files = reading.files.match(glob.replaceAll("\\", "/"));
    if (files.length === 0) reading.report.add("source/guard-missing", place, { glob });
    for (const file of files) {
      if (isSourcePath(file.path, folder)) reading.report.add("source/read-twice", place, { file: file.path, folder });
      found.set(file.path, file);
    }
  });
  return [...found.values()].flatMap((file) => readBlocks(file, true, reading));
}

function readDocuments(folder: string, guards: readonly SourceDocument[], reading: Reading): SourceDocument[] {
  const asGuards = new Set(guards.map((document) => document.file));
  return reading.files
    .list(folder)
    .filter((file) => (file.path === folder || isSourcePath(file.path, folder)) && !asGuards.has(file.path))
    .flatMap((file) => readBlocks(file, false, reading));
}

function readBlocks(file: ListedFile, asGuard: boolean, reading: Reading): SourceDocument[] {
  const shaped = readShaped(file, asGuard ? "guard" : "blocks", reading);
  if (shaped === undefined) {
    reading.broken.add(ANYTHING);
    return [];
  }
  const { value, faults } = shaped;
  if (!isObject(value)) return [];
  if (asGuard && faults.length === 0 && value["policies"] === undefined && value["invariants"] === undefined) {
    reading.report.add("source/empty-guard", { file: file.path, path: [] }, { file: file.path });
  }
  return [{ file: file.path, guard: asGuard, blocks: soundBlocks(value, faults, reading.broken) }];
}

/** The declarations whose shape is right. The others were reported; their names are remembered, so that naming them is no second error. */
function soundBlocks(
  value: JsonObject,
  faults: readonly (readonly (string | number)[])[],
  broken: Set<string>,
): SoundBlocks {
  const at = (block: string): (string | number)[] =>
    faults.flatMap((path) => (path[0] === block && path.length > 1 ? [path[1]!] : []));
  const whole = new Set(faults.filter((path) => path.length === 1).map((path) => String(path[0])));
  for (const block of ["servers", "roles"]) {
    if (whole.has(block)) broken.add(ANYTHING);
    for (const name of at(block)) broken.add(`${block}.${name}`);
  }
  const map = (block: string): JsonObject | undefined =>
    isObject(value[block]) && !whole.has(block) ? without(value[block], at(block).map(String)) : undefined;
  const list = (block: string): JsonValue[] | undefined =>
    Array.isArray(value[block])
      ? value[block].map((item: JsonValue, i: number) => (at(block).includes(i) ? null : item))
      : undefined;
  return {
    servers: map("servers"),
    roles: map("roles"),
    policies: list("policies"),
    invariants: list("invariants"),
  } as SoundBlocks;
}

function without(value: JsonObject, keys: readonly string[]): JsonObject {
  return keys.length === 0 ? value : Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function readPresets(
  documents: readonly SourceDocument[],
  folder: string,
  reading: Reading,
): ReadonlyMap<string, PresetDocument> {
  const presets = new Map<string, PresetDocument>();
  const wanted = new Set(
    documents.flatMap((d) =>
      Object.values(d.blocks.servers ?? {}).flatMap((s) => (s.preset === undefined ? [] : [s.preset])),
    ),
  );
  for (const id of [...wanted].sort()) {
    const file = presetFile(folder, id);
    if (reading.files.read(file).problem === "missing") continue;
    const shaped = readShaped({ path: file }, "preset", reading);
    const value = shaped?.value;
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

function readManifests(
  documents: readonly SourceDocument[],
  presets: ReadonlyMap<string, PresetDocument>,
  folder: string,
  reading: Reading,
): Pick<Sources, "manifests" | "refusedManifests" | "manifestNames"> {
  const manifests = new Map<string, Manifest>();
  const refused = new Set<string>();
  const names: string[] = [];
  const pins = pinsOf(documents, presets);
  const shelf = createShelf((file) => readAgain(file, reading.files));
  const files = reading.files.list(manifestsFolder(folder));
  const there = new Set(files.map((listed) => pinOfFile(listed.path, folder)));
  const missing = [...pins].filter((pin) => !there.has(pin));
  for (const listed of files) {
    const pin = pinOfFile(listed.path, folder);
    if (listed.problem !== undefined && listed.path === manifestsFolder(folder)) readValue(listed, reading);
    if (pin === undefined) continue;
    names.push(pin);
    if (!pins.has(pin)) {
      const near = nearest(pin, missing);
      if (!reading.broken.has(ANYTHING) && !reading.broken.has(`servers.${pin}`))
        reading.report.add(
          "manifest/unused",
          { file: listed.path, path: [] },
          { pin, file: listed.path, nearest: near },
        );
      continue;
    }
    const digest = listed.problem ? undefined : reading.files.digestOf?.(listed.path);
    const known = recallManifest({ pin, file: listed.path, digest }, reading.memory?.manifests, shelf);
    if (known) {
      manifests.set(pin, known);
      continue;
    }
    const answer = listed.problem ? { problem: listed.problem } : reading.files.read(listed.path);
    if (answer.problem !== undefined)
      reading.report.add("source/unreadable", undefined, { file: listed.path, ...fileProblem(answer.problem) });
    const manifest =
      answer.problem === undefined
        ? readManifest(
            { pin, file: listed.path, text: answer.text, digest: reading.files.digestOf?.(listed.path) },
            reading.memory?.manifests,
            shelf,
            reading.report,
          )
        : undefined;
    if (manifest) manifests.set(pin, manifest);
    else refused.add(pin);
  }
  return { manifests, refusedManifests: refused, manifestNames: names };
}

/** A file that was read a moment ago. Should it be gone since, the build can't go on. */
function readAgain(file: string, files: SourceFiles): string {
  const answer = files.read(file);
  if (answer.problem !== undefined) throw new Error(`${file} changed while it was read`);
  return answer.text;
}

function pinsOf(
  documents: readonly SourceDocument[],
  presets: ReadonlyMap<string, PresetDocument>,
): ReadonlySet<string> {
  const servers = documents.flatMap((d) => Object.entries(d.blocks.servers ?? {}));
  return new Set(
    servers.map(
      ([name, server]) => server.manifest ?? presets.get(server.preset ?? "")?.preset.server.manifest ?? name,
    ),
  );
}

function pinOfFile(path: string, folder: string): string | undefined {
  const name = path.slice(`${manifestsFolder(folder)}/`.length);
  return name.endsWith(".json") && !name.includes("/") ? name.slice(0, -".json".length) : undefined;
}
