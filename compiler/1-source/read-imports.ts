import { isObject, type JsonValue } from "../base/json.ts";
import { globMatcher } from "../base/glob.ts";
import { nearest } from "../base/nearest.ts";
import { keyOf, type Place } from "../base/place.ts";
import { isSourcePath, PROJECT_FILE } from "../base/project-layout.ts";
import { createReport, type Report } from "../diagnostics/report.ts";
import type { Project } from "../../schemas/types.ts";
import { blocks as blocksSchema } from "../../schemas/project.ts";
import { plainText } from "./document/plain-text.ts";
import { allFormats } from "./formats/all-formats.ts";
import { type ForeignDocument, formatsOf, isDocument, ownKeys } from "./formats/choose.ts";
import { NOT_HELD, restrictionsIn } from "./formats/passed-by.ts";
import { translating, type Narrows, type Translated } from "./formats/translation.ts";
import type { AnyFormat } from "./formats/types.ts";
import { type OwnOutput, ownOutput, withoutKeys } from "./own-output.ts";
import { readBeside } from "./read-beside.ts";
import { ANYTHING, readValue, type SourceReading } from "./read-shaped.ts";
import { checkShape } from "./shape.ts";
import { soundBlocks } from "./sound-blocks.ts";
import type { SourceDocument, SourceSettings } from "./types.ts";

/** A file of another system as rolecall.yaml lists it. */
export type ListedImport = Exclude<NonNullable<Project["imports"]>[number], string>;

/** Files of other systems that rolecall.yaml lists, each as a document in our own language. Layers keep their order. */
export function readImports(written: Project, settings: SourceSettings, reading: SourceReading): SourceDocument[] {
  const { folder } = settings;
  const output = ownOutput(settings, reading);
  return (["imports", "layers"] as const).flatMap((key) =>
    (written[key] ?? []).flatMap((item, i) => {
      const listed = typeof item === "string" ? { file: item } : item;
      const place: Place = { file: PROJECT_FILE, path: typeof item === "string" ? [key, i] : [key, i, "file"] };
      const about = { listed, key, place, output };
      const read = filesOf(listed, key, place, folder, reading).map((file) => readForeign(file, about, reading));
      sayUnusedNames(
        read.map(({ unused }) => unused),
        about,
        reading,
      );
      return read.flatMap(({ document }) => document ?? []);
    }),
  );
}

function filesOf(
  { file: glob }: ListedImport,
  key: string,
  place: Place,
  folder: string,
  { files, report, broken }: SourceReading,
): string[] {
  const found = files.match(glob.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""));
  if (found.length === 0) {
    broken.add(ANYTHING);
    const near = files.match("**").map(({ path }) => path);
    report.add("import/missing", place, { file: glob, key, nearest: nearest(glob, near) });
  }
  for (const { path: file } of found)
    if (isSourcePath(file, folder)) report.add("source/read-twice", place, { file, folder, key });
  return found.map(({ path }) => path).filter((path) => !isSourcePath(path, folder));
}

interface About {
  readonly listed: ListedImport;
  readonly key: "imports" | "layers";
  /** In rolecall.yaml; undefined where the file is named elsewhere. */
  readonly place: Place | undefined;
  readonly output?: OwnOutput;
  /** Keys of the file that are the build's own, and were passed by. */
  readonly gone?: readonly (readonly string[])[];
}

interface ReadForeign {
  readonly document?: SourceDocument;
  /** Undefined: nobody knows. */
  readonly unused?: readonly string[];
}

function readForeign(file: string, about: About, reading: SourceReading): ReadForeign {
  const { report, broken } = reading;
  reading.looked.add(file);
  const translated = translateFile(file, about, reading);
  if (translated === undefined) {
    broken.add(ANYTHING);
    return {};
  }
  const { blocks, origins, mentions, asks, wholeServers, takenBeside, beside, unused } = translated;
  const faults = checkShape(blocksSchema, blocks, { file, path: [], origins }, report);
  const layer = about.key === "layers";
  const sound = soundBlocks(blocks, faults, broken);
  const { rolesAddUp, givesAsShown } = translated.format;
  const told = { origins, mentions, asks, wholeServers, takenBeside, beside };
  const of = {
    file,
    guard: false,
    layer,
    ...told,
    ...(rolesAddUp && { rolesAddUp }),
    ...(givesAsShown && { givesAsShown }),
  };
  return { document: { ...of, blocks: sound }, unused };
}

/** One of several files has to have the name. */
function sayUnusedNames(
  unused: readonly (readonly string[] | undefined)[],
  { listed, key }: About,
  { report }: SourceReading,
): void {
  for (const server of Object.keys(listed.servers ?? {})) {
    if (unused.length > 0 && unused.every((names) => names?.includes(server)))
      report.add("import/renames-nothing", { file: PROJECT_FILE, path: [key] }, { server, file: listed.file });
  }
}

export interface TranslatedFile extends Translated {
  readonly format: AnyFormat;
  /** Files beside it that say something of its servers, or could. */
  readonly beside: readonly string[];
}

/** What a file of another system comes to in our own language. Undefined: it can't be read, and the report says why. */
export function translateFile(file: string, about: About, reading: SourceReading): TranslatedFile | undefined {
  const { report } = reading;
  const read = (path: string, text: string) => {
    if (about.output?.isWhole(file, text)) return sayOwn(file, about, reading);
    const plain = plainText(path, text);
    return plain === undefined ? sayUnknown(file, about, reading, HEADERLESS) : reading.read(path, plain, report);
  };
  const value = readValue({ path: file }, { ...reading, read });
  if (value === undefined) return undefined;
  if (!isDocument(value)) return sayUnknown(file, about, reading);
  const { rest, gone } = isObject(value)
    ? withoutKeys(value, about.output?.keysOf(file) ?? [])
    : { rest: value, gone: [] };
  const isLess = gone.length > 0;
  // A layer restricts what lies below it: without an entry, whoever says that it is the build's, that would be lost.
  const isWhole = gone.some((at) => at.length === 1);
  if (isWhole || (isLess && about.key === "layers")) return sayOwn(file, about, reading);
  const format = formatOf(value, rest, file, about, reading);
  if (format === undefined) return undefined;
  const root: Place = { file, path: [] };
  const theirs = ownKeys(rest, format);
  const otherwise = () => otherFormat(rest, format, about);
  if (checkShape(format.schema(), theirs, root, report, { isForeign: true, otherwise }).length > 0) return undefined;
  const { beside } = format;
  // A build that reads the file as it lies there holds nothing of what lies beside it: some of that is its own output.
  const isHeld = about.place === undefined;
  const besides: string[] = [];
  const translated = translate(
    format,
    theirs,
    root,
    { ...about, gone },
    report,
    beside && {
      ...beside,
      isHeld,
      read: (made) =>
        besides.push(...readBeside(file, format, { made, output: about.output, isTeams: !isHeld }, reading)),
    },
  );
  if (isLess && translated.blocks["servers"] === undefined) return sayOwn(file, about, reading);
  sayPassedBy(rest, format, root, report);
  return { format, beside: besides, ...translated };
}

/** What the other program's own settings take away is lost here, and that is said. */
function sayPassedBy(value: ForeignDocument, { passes, title }: AnyFormat, root: Place, report: Report): void {
  if (passes === undefined || !isObject(value)) return;
  const passed = Object.fromEntries(Object.entries(value).filter(([key]) => passes(key)));
  for (const path of restrictionsIn(passed))
    report.add("import/left-behind", keyOf({ ...root, path }), {
      what: `\`${path.join(".")}\``,
      format: title,
      help: NOT_HELD,
    });
}

function sayOwn(file: string, { key, place }: About, { report }: SourceReading): undefined {
  report.add("import/own-output", place, { file, key });
  return undefined;
}

function translate(
  format: AnyFormat,
  value: JsonValue,
  root: Place,
  { listed, key, gone = [] }: About,
  report: Report,
  beside?: Narrows,
): Translated {
  const renaming = { key, gone, servers: listed.servers ?? {}, role: listed.role ?? "agent", title: format.title };
  return translating(root, renaming, report, (made) => format.read(value as never, made), beside);
}

/** The one that is named, or the one that the document is in. `rest`: without what is the build's own. */
function formatOf(
  value: ForeignDocument,
  rest: ForeignDocument,
  file: string,
  about: About,
  reading: SourceReading,
): AnyFormat | undefined {
  const { as } = about.listed;
  if (as !== undefined) return allFormats.find(({ id }) => id === as) ?? sayUnknown(file, about, reading);
  const found = formatsOf(value, file);
  const [format] = found;
  if (format === undefined) return sayUnknown(file, about, reading);
  const meanings = found.length < 2 ? [] : found.map((one) => meaningOf(one, rest, file, about));
  if (meanings.every((meaning) => meaning !== undefined && meaning === meanings[0])) return format;
  const formats = found.map(({ id }) => `\`${id}\``).join(" or ");
  reading.report.add("import/several-formats", about.place, { file, ...sayingWhich(about), formats });
  return undefined;
}

/** The next step where it may be the file of the one other program that would read all of it. */
function otherFormat(value: ForeignDocument, { id }: AnyFormat, { listed, key, place }: About): string | undefined {
  if (listed.as !== undefined) return undefined;
  const others = formatsOf(value, "").filter((one) => one.id !== id && one.schema().safeParse(value).success);
  const [other] = others;
  if (other === undefined || others.length > 1) return undefined;
  return `where it is meant as ${other.title}, say \`${sayingWhich({ key, place }).as} ${other.id}\``;
}

/** How a format is said: in rolecall.yaml, or where the file was typed. */
function sayingWhich({ key, place }: Pick<About, "key" | "place">): { readonly where: string; readonly as: string } {
  return place === undefined ? { where: "", as: "--as" } : { where: `under \`${key}\` `, as: "as:" };
}

/** The next step for settings that are heeded where the servers are taken over. */
function readBesideAnother(file: string): string | undefined {
  const format = allFormats.find(({ beside }) =>
    beside?.files.some((glob) => [glob, `**/${glob}`].some((one) => globMatcher(one)(file))),
  );
  return format && `it is read beside ${format.title}: import that one, and what this takes away is taken along`;
}

/** What a document comes to in a format, and what is told of it, to compare; undefined where it can't be read so. */
function meaningOf(format: AnyFormat, value: ForeignDocument, file: string, about: About): string | undefined {
  const report = createReport(() => undefined);
  const theirs = ownKeys(value, format);
  if (!format.schema().safeParse(theirs).success) return undefined;
  const { blocks } = translate(format, theirs, { file, path: [] }, about, report);
  sayPassedBy(value, format, { file, path: [] }, report);
  if (report.failed) return undefined;
  return JSON.stringify([blocks, report.count, report.sorted().map(({ code, help }) => [code, help])]);
}

/** The next step for a page that says nothing: what it restricts would be lost. */
const HEADERLESS =
  "of a page its header is read: it begins with the first line of the file, and stands between two lines `---`";

function sayUnknown(
  file: string,
  { listed: { as }, key, place }: About,
  { report }: SourceReading,
  advice?: string,
): undefined {
  const ids = allFormats.map(({ id }) => id);
  const near = as === undefined ? undefined : nearest(as, ids);
  const saying = sayingWhich({ key, place });
  const beside = as === undefined && place === undefined ? readBesideAnother(file) : undefined;
  report.add("import/unknown-format", place, {
    file,
    ...saying,
    formats: ids.map((id) => `\`${id}\``).join(", "),
    advice: advice ?? (near && `did you mean \`${saying.as} ${near}\`?`) ?? beside,
  });
  return undefined;
}
