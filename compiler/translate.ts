import type { HostData } from "./base/host-data.ts";
import { isObject, own, type JsonObject, type JsonValue } from "./base/json.ts";
import type { GivesAsShown, Locate, Origins } from "./base/place.ts";
import { globFinder } from "./base/glob.ts";
import { sorted } from "./base/order.ts";
import { PROJECT_FILE } from "./base/project-layout.ts";
import { type BuiltFor, ownOutput } from "./1-source/own-output.ts";
import { createReport } from "./diagnostics/report.ts";
import type { Diagnostic } from "./diagnostics/types.ts";
import { createDocumentReader } from "./1-source/document/read-document.ts";
import { readSources } from "./1-source/read-sources.ts";
import { exactly } from "./1-source/formats/exact.ts";
import { shown, shownAs } from "./1-source/formats/shown-names.ts";
import { type Renames, renameTools, renaming, type RenameTool } from "./1-source/formats/rename-tools.ts";
import { allFormats } from "./1-source/formats/all-formats.ts";
import { ownKeys } from "./1-source/formats/choose.ts";
import { restrictionsIn } from "./1-source/formats/passed-by.ts";
import { withoutSecrets, type Referred } from "./1-source/formats/without-secrets.ts";
import { translateFile, type ListedImport } from "./1-source/read-imports.ts";
import type { SourceDocument, SourceFiles } from "./1-source/types.ts";
import { link } from "./2-model/link.ts";
import { unjoined } from "./2-model/selectors/joined.ts";
import { exactName, parseSelector } from "./2-model/selectors/parse.ts";
import { isServerMeant, titledSelectors } from "./2-model/selectors/titled.ts";
import type { Server, Tool } from "./2-model/types.ts";
import { textOf, type Libraries } from "./compile.ts";

export type { BuiltFor, ListedImport };

/** A file of another system in our own language, by itself: what `rolecall import` and `rolecall init` write. */
export interface TranslatedAlone {
  /** Undefined: it can't be read, and the diagnostics say why. */
  readonly translated: TranslatedSource | undefined;
  /** Of the names that were to be others, which couldn't be. */
  readonly renames: Pick<Renames, "unused" | "unclear">;
  readonly diagnostics: readonly Diagnostic[];
  readonly locate: Locate;
}

export interface TranslatedSource {
  readonly format: { readonly id: string; readonly title: string; readonly givesAsShown?: GivesAsShown };
  /** Secrets that the file holds are references here. */
  readonly blocks: JsonObject;
  readonly origins: Origins;
  /** Servers that a role is given whole: by itself the file's answer is the tools that read, beside others it may be more. */
  readonly wholeServers: readonly { readonly role: string; readonly server: string }[];
  /** What became a reference, and where its value stands in the file. */
  readonly referred: readonly Referred[];
}

/**
 * The same as a build of the project reads it: what a server that is given whole comes to, and tools by the names that the
 * pinned servers have. `files`: of the project, with the file listed; what it doesn't tell stays as it is.
 */
export function asInProject(
  translated: TranslatedSource,
  file: string,
  { files, hosts }: Pick<TranslateOptions, "files" | "hosts">,
  libraries: Libraries,
): TranslatedSource {
  const reader = createDocumentReader(libraries.yaml);
  const report = createReport(reader.locator((path) => textOf(files.read(path))));
  const sources = readSources(files, reader.read, hosts, undefined, report);
  if (sources === undefined) return translated;
  const read = sources.documents.find((document) => document.file === file)?.blocks.roles ?? {};
  const opened = ({ role, server }: { role: string; server: string }) => read[role]?.tools?.[server];
  const roles = { ...(own(translated.blocks, "roles") as JsonObject | undefined) };
  for (const whole of translated.wholeServers) {
    const { tools, ...block } = roles[whole.role] as JsonObject;
    const held = { ...(tools as JsonObject) };
    const entry = (opened(whole) as JsonValue | undefined) ?? held[whole.server]!;
    roles[whole.role] = { ...block, tools: { ...held, [whole.server]: entry } };
  }
  const { servers } = link(sources, hosts, libraries.schemaProblem, report);
  const blocks = Object.keys(roles).length > 0 ? { ...translated.blocks, roles } : translated.blocks;
  return {
    ...translated,
    blocks: renameTools(withTitled(blocks, servers), unjoining(servers, translated.format.givesAsShown)),
    wholeServers: translated.wholeServers.filter((whole) => opened(whole) !== "all"),
  };
}

/** Rules that speak of servers by their names there, also by ours: in a source nothing tells that a name was another's. */
function withTitled(blocks: JsonObject, servers: readonly Server[]): JsonObject {
  const { policies } = blocks;
  if (!Array.isArray(policies)) return blocks;
  const own = isObject(blocks["servers"]) ? blocks["servers"] : {};
  const named = servers.map(({ name }) => ({ name }));
  const restriction = (item: JsonValue): JsonValue[] => {
    const written = isObject(item) ? item["optional"] : item;
    if (typeof written !== "string") return [item];
    const server = written.slice(0, Math.max(written.indexOf("."), 0));
    const titled = Object.hasOwn(own, server) ? [] : titledSelectors(written, servers);
    if (titled.length === 0 || isServerMeant(server, named)) return [item, ...titled.map((one) => ({ optional: one }))];
    return titled.map((one) => (isObject(item) ? { optional: one } : one));
  };
  const rules = policies.map((rule: JsonValue) =>
    isObject(rule) && Array.isArray(rule["tools"]) ? { ...rule, tools: rule["tools"].flatMap(restriction) } : rule,
  );
  return { ...blocks, policies: rules };
}

/** What the project declares, file by file, presets aside. */
export function declaredIn(
  { files, hosts }: Pick<TranslateOptions, "files" | "hosts">,
  libraries: Libraries,
): readonly SourceDocument[] {
  const reader = createDocumentReader(libraries.yaml);
  const report = createReport(() => undefined);
  return readSources(files, reader.read, hosts, undefined, report)?.documents ?? [];
}

/**
 * Other systems also name a tool with its server before it, joined, or as they show it, which is a pattern here: a source
 * names the tool.
 */
function unjoining(servers: readonly Server[], givesAsShown: GivesAsShown | undefined): RenameTool {
  const known = servers.map(({ name, title, tools }) => ({
    name,
    title,
    set: { byName: new Set<string>(tools.map((tool) => tool.name)) },
    find: globFinder(tools.map((tool) => tool.name)),
    shown: new Map(tools.map((tool, at) => [patternOf(tool), { tool, at }] as const)),
  }));
  return (written, { server, gives }) => {
    if (gives !== undefined && gives !== givesAsShown) return written;
    const under = server === undefined ? undefined : known.find(({ name }) => name === server);
    if (server !== undefined && under === undefined) return written;
    const dot = server === undefined ? written.indexOf(".") + 1 : 0;
    const of = under ?? known.find(({ name }) => `${name}.` === written.slice(0, dot));
    const one = of?.shown.get(written.slice(dot));
    // A stranger's own pattern may look the same: what finds another tool too stays as it is.
    if (one !== undefined && of!.find(written.slice(dot)).every((at) => at === one.at))
      return written.slice(0, dot) + exactly(one.tool.name);
    const plain = parseSelector(written, server === undefined ? "server.tool" : "tool");
    const meant = unjoined(plain, written, { under, servers: known });
    if (meant === undefined || meant === plain) return written;
    return (meant.server === undefined ? "" : `${meant.server}.`) + exactly(exactName(meant)!);
  };
}

/** What a rule about the tool becomes that names it as programs show it. */
function patternOf({ name }: Pick<Tool, "name">): string {
  return shownAs(shown(name));
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
    const isUsual = found.diagnostics.length > 0 && isOfServers(file, options, libraries);
    // What a skill is called is enough: an agent may name it.
    const isSkill = file.endsWith("/SKILL.md");
    const isSomebodys = usual.has(file)
      ? found.translated !== undefined || isUsual
      : found.translated !== undefined && (isSkill || saysSomething(found.translated.blocks));
    return isSomebodys ? [{ file, found }] : [];
  });
}

/**
 * A file in which some program has its servers, or its own settings, but for those without a word of what the format is about
 * and none by which something of that could be taken away.
 */
function isOfServers(file: string, { files }: Pick<TranslateOptions, "files">, libraries: Libraries): boolean {
  const format = allFormats.find(({ usualFile }) => usualFile?.test(file));
  const text = textOf(files.read(file));
  const report = createReport(() => undefined);
  const value = text === undefined ? undefined : createDocumentReader(libraries.yaml).read(file, text, report);
  if (!isObject(value) || report.count > 0) return format !== undefined;
  if (format === undefined) return isObject(value["mcpServers"]) && Object.keys(value["mcpServers"]).length > 0;
  const isAbout = restrictionsIn(value).some((path) => /mcp|server/i.test(path.join(".")));
  return format.passes === undefined || isAbout || Object.keys(ownKeys(value, format)).length > 0;
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
  /** What the project's own builds write rules for; left out: it has none. */
  readonly built?: BuiltFor;
  /** What tools of the file are really called: `tool` or `server.tool`, with the name. */
  readonly renamed?: ReadonlyMap<string, string>;
}

export function translate(
  listed: ListedImport,
  { files, project, hosts, built, renamed = new Map() }: TranslateOptions,
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
    { listed, key: "imports", place: undefined, output: ownOutput(project, reading, built) },
    reading,
  );
  const renames = renaming(renamed, found?.blocks ?? {});
  const translated = found && {
    ...found,
    ...withoutSecrets(renameTools(found.blocks, renames.rename), found.origins),
  };
  return { translated, renames, diagnostics: report.sorted(), locate };
}
