import { digestOf } from "../base/digest.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { nearest } from "../base/nearest.ts";
import { manifestsFolder, pinOfFile } from "../base/project-layout.ts";
import { maskedWords } from "../base/secret-patterns.ts";
import type { Report } from "../diagnostics/report.ts";
import { examineManifest, toolTexts } from "./examine-manifest.ts";
import { ANYTHING, readValue, type SourceReading } from "./read-shaped.ts";
import type {
  ListedFile,
  Manifest,
  ExaminedManifest,
  PresetDocument,
  SourceDocument,
  SourceFiles,
  Sources,
  ToolTexts,
} from "./types.ts";
import { escapedTokens, writtenTokens } from "./written-tokens.ts";

/** One that lies nowhere: what it says is rolecall's own. */
export interface MadeManifest {
  readonly pin: string;
  /** Where it is spoken of. */
  readonly file: string;
  readonly text: string;
}

/** Every manifest that a server uses; of the others the name is enough. `misnamed`: files that hold sources, as was said. */
export function readManifests(
  pins: ReadonlySet<string>,
  misnamed: ReadonlySet<string>,
  { folder, made }: { readonly folder: string; readonly made: MadeManifest | undefined },
  reading: SourceReading,
): Pick<Sources, "manifests" | "refusedManifests" | "manifestNames"> {
  const manifests = new Map<string, Manifest>();
  const refusedManifests = new Set<string>();
  const manifestNames: string[] = [];
  const shelf = createShelf((file) => readAgain(file, reading.files));
  const files = reading.files.list(manifestsFolder(folder));
  const there = new Set(files.map((listed) => pinOfFile(listed.path, folder)));
  const missing = [...pins].filter((pin) => !there.has(pin));
  for (const listed of files) {
    const pin = pinOfFile(listed.path, folder);
    if (listed.problem !== undefined && listed.path === manifestsFolder(folder)) readValue(listed, reading);
    if (pin === undefined) continue;
    manifestNames.push(pin);
    if (!pins.has(pin)) {
      if (!misnamed.has(listed.path)) sayUnused(pin, listed.path, missing, reading);
      continue;
    }
    const manifest = readManifest(pin, listed, shelf, reading);
    if (manifest) manifests.set(pin, manifest);
    else refusedManifests.add(pin);
  }
  if (made !== undefined) manifests.set(made.pin, madeManifest(made, shelf, reading.report));
  return { manifests, refusedManifests, manifestNames };
}

function sayUnused(pin: string, file: string, missing: readonly string[], { broken, report }: SourceReading): void {
  if (broken.has(ANYTHING) || broken.has(`servers.${pin}`)) return;
  report.add("manifest/unused", { file, path: [] }, { pin, file, nearest: nearest(pin, missing) });
}

function madeManifest({ pin, file, text }: MadeManifest, shelf: Shelf, report: Report): Manifest {
  const examined = examineManifest(pin, file, text, report);
  if (examined === undefined) throw new Error(`the manifest that was made for ${pin} isn't sound`);
  shelf.put(file, examined.texts);
  return manifestOf({ pin, file, digest: digestOf(text) }, examined.facts, shelf);
}

interface PinnedFile {
  readonly pin: string;
  readonly file: string;
  /** Of its bytes, where that is known. */
  readonly digest: string | undefined;
}

/** One that an earlier build found good isn't looked through again, nor read where its digest is certain. Undefined: refused. */
function readManifest(
  pin: string,
  listed: ListedFile,
  shelf: Shelf,
  { files, memory, report }: SourceReading,
): Manifest | undefined {
  const file = listed.path;
  const recalled = (digest: string | undefined): Manifest | undefined => {
    const facts = digest === undefined ? undefined : memory?.manifests.recall(memoryKey(pin, digest));
    return facts && manifestOf({ pin, file, digest }, facts, shelf);
  };
  const known = listed.problem ? undefined : recalled(files.digestOf?.(file));
  if (known) return known;
  const answer = listed.problem ? { problem: listed.problem } : files.read(file);
  if (answer.problem !== undefined) {
    report.add("source/unreadable", undefined, { file, case: answer.problem });
    return undefined;
  }
  const digest = files.digestOf?.(file);
  const knownByText = recalled(digest);
  if (knownByText) return knownByText;
  const said = report.count;
  const examined = examineManifest(pin, file, answer.text, report);
  if (!examined) return undefined;
  sayTokens(file, answer.text, report);
  shelf.put(file, examined.texts);
  // What was said of it must be said again next time.
  if (digest !== undefined && report.count === said) memory?.manifests.remember(memoryKey(pin, digest), examined.facts);
  return manifestOf({ pin, file, digest }, examined.facts, shelf);
}

/** The name is part of it: the same bytes under another server's name are refused. */
function memoryKey(pin: string, digest: string): string {
  return `${pin} ${digest}`;
}

function manifestOf({ pin, file, digest }: PinnedFile, facts: ExaminedManifest, shelf: Shelf): Manifest {
  return {
    pin,
    file,
    fingerprint: digest,
    fingerprintBesideTools: facts.fingerprintBesideTools,
    server: facts.server ?? undefined,
    serverInfo: facts.serverInfo ?? undefined,
    protocolVersion: facts.protocolVersion ?? undefined,
    capabilities: facts.capabilities,
    instructions: facts.instructions ?? undefined,
    variables: facts.variables,
    tools: facts.tools.map(
      ({ name, at, annotations, digest: ofTool, promisesResult, choice, contradiction, slow }) => ({
        name,
        at,
        annotations,
        digest: ofTool,
        promisesResult,
        choice: choice ?? undefined,
        contradiction: contradiction ?? undefined,
        slow: slow ?? undefined,
        texts: () => shelf.texts(file)[at]!,
      }),
    ),
  };
}

/** A stranger's text, and perhaps a stranger's token: it can't be mended here, and somebody should know. */
function sayTokens(file: string, text: string, report: Report): void {
  const escaped = escapedTokens(file, text, () => JSON.parse(text) as JsonValue);
  for (const { token, at } of [...writtenTokens(file, text), ...escaped])
    report.add("manifest/secret", { ...at, hide: at.hide ?? token }, { masked: maskedWords(token) });
}

/** The texts of tools, by manifest, in the order sent: of one that wasn't looked through they are read when they are asked for. */
interface Shelf {
  texts(file: string): readonly ToolTexts[];
  put(file: string, texts: readonly ToolTexts[]): void;
}

/** `read` gives the text of a manifest that was found good before. */
function createShelf(read: (file: string) => string): Shelf {
  const kept = new Map<string, readonly ToolTexts[]>();
  return {
    put: (file, texts) => void kept.set(file, texts),
    texts: (file) => {
      const known = kept.get(file) ?? (JSON.parse(read(file)) as { tools: readonly JsonObject[] }).tools.map(toolTexts);
      kept.set(file, known);
      return known;
    },
  };
}

/** A file that was read a moment ago. Should it be gone since, the build can't go on. */
function readAgain(file: string, files: SourceFiles): string {
  const answer = files.read(file);
  if (answer.problem !== undefined) throw new Error(`${file} changed while it was read`);
  return answer.text;
}

/** Of every server the manifest's name. */
export function pinsOf(
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
