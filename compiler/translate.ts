import type { HostData } from "./base/host-data.ts";
import { isObject, type JsonObject, type JsonValue } from "./base/json.ts";
import type { Locate, Origins } from "./base/place.ts";
import { sorted } from "./base/order.ts";
import { PROJECT_FILE } from "./base/project-layout.ts";
import { ownOutput } from "./1-source/own-output.ts";
import { createReport } from "./diagnostics/report.ts";
import type { Diagnostic } from "./diagnostics/types.ts";
import { createDocumentReader } from "./1-source/document/read-document.ts";
import { renameTools } from "./1-source/formats/rename-tools.ts";
import { allFormats } from "./1-source/formats/all-formats.ts";
import { withoutSecrets, type Referred } from "./1-source/formats/without-secrets.ts";
import { translateFile, type ListedImport } from "./1-source/read-imports.ts";
import type { SourceFiles } from "./1-source/types.ts";
import { textOf, type Libraries } from "./compile.ts";

export type { ListedImport };

/** A file of another system in our own language, by itself: what `rolecall import` and `rolecall init` write. */
export interface TranslatedAlone {
  /** Undefined: it can't be read, and the diagnostics say why. */
  readonly translated: TranslatedSource | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly locate: Locate;
}

export interface TranslatedSource {
  readonly format: { readonly id: string; readonly title: string };
  /** Secrets that the file holds are references here. */
  readonly blocks: JsonObject;
  readonly origins: Origins;
  /** Servers that a role is given whole: by itself the file's answer is the tools that read, beside others it may be more. */
  readonly wholeServers: readonly { readonly role: string; readonly server: string }[];
  /** What became a reference, and where its value stands in the file. */
  readonly referred: readonly Referred[];
}

/** Where files of other systems usually lie: at the top, and in the folders of programs that run agents. */
const USUAL_PLACES = ["*", ".*", ".*/*", ".*/*/*"];

export interface FoundFile {
  readonly file: string;
  readonly found: TranslatedAlone;
}

/**
 * Files in some format, by their keys or by their usual names, sorted; those that can't be taken as they are too. Of the
 * `others`, which lie anywhere, those whose keys alone say enough.
 */
export function findForeign(
  options: TranslateOptions,
  libraries: Libraries,
  others: readonly string[] = [],
): FoundFile[] {
  const listed = USUAL_PLACES.flatMap((glob) => options.files.match(glob)).filter(
    ({ path, problem }) => problem === undefined && /\.(?:jsonc?|ya?ml|toml)$/i.test(path) && path !== PROJECT_FILE,
  );
  const usual = new Set(listed.map(({ path }) => path));
  const anywhere = others.filter((file) => !usual.has(file) && mayBeForeign(textOf(options.files.read(file))));
  return sorted([...usual, ...anywhere]).flatMap((file) => {
    const found = translate({ file }, options, libraries);
    const isUsual = allFormats.some(({ usualFile }) => usualFile?.test(file));
    const isSomebodys = usual.has(file)
      ? found.translated !== undefined || (isUsual && found.diagnostics.length > 0)
      : found.translated !== undefined && saysSomething(found.translated.blocks);
    return isSomebodys ? [{ file, found }] : [];
  });
}

/** Words of which every format has one: most files are told apart by them alone, unread. */
function mayBeForeign(text: string | undefined): boolean {
  return text !== undefined && /mcp|server|transport|policies|permissions|depends_on|skills/i.test(text);
}

/** Names alone, such as a page's slug, make no role. */
function saysSomething(blocks: JsonObject): boolean {
  const { roles, ...rest } = blocks;
  const isFull = (value: JsonValue | undefined): boolean => isObject(value) && Object.keys(value).length > 0;
  const holds =
    isObject(roles) &&
    Object.values(roles).some((role) => ["tools", "extends"].some((key) => isObject(role) && key in role));
  return holds || Object.values(rest).some((block) => isFull(block) || (Array.isArray(block) && block.length > 0));
}

export interface TranslateOptions {
  readonly files: SourceFiles;
  /** Whose builds wrote what: their own entries are no source. */
  readonly project: { readonly out: string; readonly folder: string };
  readonly hosts: readonly HostData[];
  /** What tools of the file are really called. */
  readonly renamed?: ReadonlyMap<string, string>;
}

export function translate(
  listed: ListedImport,
  { files, project, hosts, renamed = new Map() }: TranslateOptions,
  libraries: Libraries,
): TranslatedAlone {
  const reader = createDocumentReader(libraries.yaml);
  const locate = reader.locator((file) => textOf(files.read(file)));
  const report = createReport(locate);
  const reading = {
    files,
    read: reader.read,
    hosts,
    memory: undefined,
    report,
    broken: new Set<string>(),
    looked: new Set<string>(),
    tokens: [],
  };
  const found = translateFile(
    listed.file,
    { listed, key: "imports", place: undefined, output: ownOutput(project, reading) },
    reading,
  );
  const translated = found && {
    ...found,
    ...withoutSecrets(renameTools(found.blocks, renamed), found.origins),
  };
  return { translated, diagnostics: report.sorted(), locate };
}
