import { isObject, own, type JsonObject, type JsonValue } from "../base/json.ts";
import { downloadedBy, hasVersion, runnerOf, withoutVersion } from "../base/package-runner.ts";
import type { InstalledPackage, PresetDocument, SourceDocument, SourceFiles } from "./types.ts";

/**
 * Which installed package brings a command that a server is started by. The name of a command is no name of a package:
 * whoever asks a registry for it may get a stranger's. Read only where a server names no version.
 */
export function readInstalled(
  documents: readonly SourceDocument[],
  presets: ReadonlyMap<string, PresetDocument>,
  files: SourceFiles,
): ReadonlyMap<string, InstalledPackage> {
  const wanted = new Set(commandsOf(documents, presets).flatMap((words) => unpinnedWord(words) ?? []));
  const found = new Map<string, InstalledPackage>();
  if (wanted.size === 0) return found;
  const project = readJson("package.json", files);
  if (!project) return found;
  const kinds = ["dependencies", "devDependencies", "optionalDependencies"];
  const names = new Set(kinds.flatMap((kind) => Object.keys(objectAt(project, kind))));
  const packages = [...names].sort().flatMap((name) => readPackage(name, files) ?? []);
  for (const word of wanted) {
    const brings = packages.find(({ bins }) => bins.includes(word)) ?? packages.find(({ folder }) => folder === word);
    if (brings) found.set(word, { name: brings.name, version: brings.version });
  }
  return found;
}

/** What every stdio server is started by. */
function commandsOf(
  documents: readonly SourceDocument[],
  presets: ReadonlyMap<string, PresetDocument>,
): (readonly string[])[] {
  const servers = [
    ...documents.flatMap((document) => Object.values(document.blocks.servers ?? {})),
    ...[...presets.values()].map(({ preset }) => preset.server),
  ];
  return servers.flatMap(({ connect }) =>
    (connect ?? []).flatMap((transport) => ("stdio" in transport ? [transport.stdio.map(wordOf)] : [])),
  );
}

function wordOf(word: string | { readonly literal: string }): string {
  return typeof word === "string" ? word : word.literal;
}

function unpinnedWord(words: readonly string[]): string | undefined {
  const runner = runnerOf(words);
  const downloaded = runner?.installs ? downloadedBy(words) : undefined;
  return runner && downloaded && !hasVersion(downloaded.name, runner) ? withoutVersion(downloaded.name) : undefined;
}

const NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;

function readPackage(
  folder: string,
  files: SourceFiles,
): (InstalledPackage & { readonly folder: string; readonly bins: readonly string[] }) | undefined {
  const read = NAME.test(folder) ? readJson(`node_modules/${folder}/package.json`, files) : undefined;
  const name = read && own(read, "name");
  const version = read && own(read, "version");
  if (typeof name !== "string" || !NAME.test(name) || typeof version !== "string" || !/^\d[\w.+-]*$/.test(version))
    return undefined;
  const bin = own(read!, "bin");
  const bins = typeof bin === "string" ? [name.replace(/^.*\//, "")] : isObject(bin) ? Object.keys(bin) : [];
  return { folder, name, version, bins };
}

/** Undefined: it isn't there, or holds no object. */
export function readJson(file: string, files: SourceFiles): JsonObject | undefined {
  const answer = files.read(file);
  if (answer.problem !== undefined) return undefined;
  try {
    const value = JSON.parse(answer.text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = own(value, key);
  return isObject(found) ? found : {};
}
