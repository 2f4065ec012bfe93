import { presetIdOf } from "../base/project-layout.ts";
import { firstOf } from "../base/list-words.ts";
import { keyOf, within } from "../base/place.ts";
import { reachedIn } from "../base/reached.ts";
import type { Preset, ServerBlock } from "../../schemas/types.ts";
import { readShaped, type SourceReading } from "./read-shaped.ts";
import { documentPlace, type SourceDocument } from "./types.ts";

/**
 * Which preset of the project knows a server of a file of another system: the one whose connection reaches the same
 * package or address. Rolecall's own presets are never looked at, so that an update of rolecall changes no server.
 */
export function findPresets(
  documents: readonly SourceDocument[],
  folder: string,
  reading: SourceReading,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const imported = importedServers(documents);
  if (imported.size === 0) return found;
  const presets = presetsThere(folder, reading);
  for (const [name, { document, connect }] of imported) {
    const reached = new Set(reachedIn(connect));
    const same = presets.filter((preset) => reachedIn(preset.connect).some((one) => reached.has(one)));
    const [one, another] = same.some(({ id }) => id === name) ? same.filter(({ id }) => id === name) : same;
    if (one === undefined) continue;
    if (another === undefined) found.set(name, one.id);
    else {
      const params = { server: name, presets: firstOf(same.map(({ id }) => `\`${id}\``)), file: document.file };
      reading.report.add("server/several-presets", keyOf(within(documentPlace(document), "servers", name)), params);
    }
  }
  return found;
}

type Connect = NonNullable<ServerBlock["connect"]>;

/** Those whose connection is the file's, and that nobody gave a preset. */
function importedServers(
  documents: readonly SourceDocument[],
): ReadonlyMap<string, { document: SourceDocument; connect: Connect }> {
  const found = new Map<string, { document: SourceDocument; connect: Connect }>();
  const settled = new Set<string>();
  for (const document of documents) {
    for (const [name, { preset, connect }] of Object.entries(document.blocks.servers ?? {})) {
      if (preset !== undefined || (document.origins === undefined && connect !== undefined)) settled.add(name);
      else if (document.origins !== undefined && connect !== undefined) found.set(name, { document, connect });
    }
  }
  return new Map([...found].filter(([name]) => !settled.has(name)));
}

/** One that can't be read is an error here: it could be the one that restricts. */
function presetsThere(folder: string, reading: SourceReading): { id: string; connect: Connect }[] {
  return reading.files.list(folder).flatMap((file) => {
    const id = presetIdOf(file.path, folder);
    if (id === undefined) return [];
    const shaped = readShaped(file, "preset", reading);
    if (shaped === undefined || shaped.faults.length > 0) return [];
    const { server } = shaped.value as unknown as Preset;
    return [{ id, connect: server.connect ?? [] }];
  });
}
