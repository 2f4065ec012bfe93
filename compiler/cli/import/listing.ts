import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { PROJECT_FILE } from "../../base/project-layout.ts";
import type { SourceFiles } from "../../1-source/types.ts";
import { keyLibraries } from "../../io/libraries.ts";
import { editSource } from "../../source-edits/edit-source.ts";
import { parsed } from "../../source-edits/find.ts";
import type { ListedImport } from "../../translate.ts";

/** How rolecall.yaml lists a file. */
export interface FileEntry {
  readonly key: "imports" | "layers";
  readonly entry: ListedImport;
  /** Its only file: such an entry can go. */
  readonly isOnly: boolean;
  readonly at: readonly (string | number)[];
}

export function listingOf(file: string, files: SourceFiles): FileEntry | undefined {
  const written = writtenProject(files) ?? {};
  for (const key of ["imports", "layers"] as const) {
    const list = own(written, key);
    if (!Array.isArray(list)) continue;
    for (const [i, item] of list.entries()) {
      const entry = isObject(item) ? item : { file: item };
      const found = typeof entry["file"] === "string" ? files.match(entry["file"]) : [];
      if (!found.some(({ path }) => path === file)) continue;
      const at = list.length === 1 ? [key] : [key, i];
      return { key, entry: entry as unknown as ListedImport, isOnly: found.length === 1, at };
    }
  }
  return undefined;
}

/** rolecall.yaml without the entry; undefined: a person takes it out. What a layer takes away holds only as a layer. */
export function withoutListing({ key, isOnly, at }: FileEntry, files: SourceFiles): string | undefined {
  const answer = files.read(PROJECT_FILE);
  if (key !== "imports" || !isOnly || answer.problem !== undefined) return undefined;
  return editSource(PROJECT_FILE, answer.text, [{ kind: "remove", path: at }], keyLibraries().yaml()).text;
}

/** rolecall.yaml with the file listed by such an entry, whatever listed it before: to compile, never to write. */
export function listedText(listed: ListedImport, files: SourceFiles): string {
  return textWith(listed.file, [{ ...listed } as JsonObject], files);
}

/** The same with the file listed nowhere. */
export function unlistedText(file: string, files: SourceFiles): string {
  return textWith(file, [], files);
}

function textWith(file: string, more: readonly JsonObject[], files: SourceFiles): string {
  const written = writtenProject(files) ?? {};
  const others = (list: JsonValue | undefined): JsonValue[] =>
    (Array.isArray(list) ? list : []).flatMap((item): JsonValue[] => {
      const entry = isObject(item) ? item : { file: item };
      const found = typeof entry["file"] === "string" ? files.match(entry["file"]).map(({ path }) => path) : [];
      if (!found.includes(file)) return [item];
      return found.filter((path) => path !== file).map((path) => ({ ...entry, file: path }));
    });
  const imports = [...others(own(written, "imports")), ...more];
  return JSON.stringify({ ...written, imports, layers: others(own(written, "layers")) });
}

function writtenProject(files: SourceFiles): JsonObject | undefined {
  const answer = files.read(PROJECT_FILE);
  const value = answer.problem === undefined ? parsed(answer.text, keyLibraries().yaml())?.value : undefined;
  return isObject(value) ? value : undefined;
}
