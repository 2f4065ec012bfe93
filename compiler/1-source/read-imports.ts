import { isObject, type JsonValue } from "../base/json.ts";
import { nearest } from "../base/nearest.ts";
import type { Place } from "../base/place.ts";
import { isSourcePath, PROJECT_FILE } from "../base/project-layout.ts";
import type { Project } from "../../schemas/types.ts";
import { blocks as blocksSchema } from "../../schemas/project.ts";
import { plainText } from "./document/plain-text.ts";
import { allFormats } from "./formats/all-formats.ts";
import { translating, type Translated } from "./formats/translation.ts";
import type { AnyFormat } from "./formats/types.ts";
import { ANYTHING, readValue, type SourceReading } from "./read-shaped.ts";
import { checkShape } from "./shape.ts";
import { soundBlocks } from "./sound-blocks.ts";
import type { SourceDocument } from "./types.ts";

type Listed = Exclude<NonNullable<Project["imports"]>[number], string>;

/** Files of other systems that rolecall.yaml lists, each as a document in our own language. Layers keep their order. */
export function readImports(written: Project, folder: string, reading: SourceReading): SourceDocument[] {
  return (["imports", "layers"] as const).flatMap((key) =>
    (written[key] ?? []).flatMap((item, i) => {
      const listed = typeof item === "string" ? { file: item } : item;
      const place: Place = { file: PROJECT_FILE, path: typeof item === "string" ? [key, i] : [key, i, "file"] };
      return filesOf(listed, key, place, folder, reading).flatMap((file) =>
        readForeign(file, { listed, key, place }, reading),
      );
    }),
  );
}

function filesOf(
  { file: glob }: Listed,
  key: string,
  place: Place,
  folder: string,
  { files, report, broken }: SourceReading,
): string[] {
  const found = files.match(glob.replaceAll("\\", "/").replace(/^(?:\.\/)+/, ""));
  if (found.length === 0) {
    broken.add(ANYTHING);
    const near = files.match("**").map(({ path }) => path);
    report.add("source/import-missing", place, { file: glob, key, nearest: nearest(glob, near) });
  }
  for (const { path: file } of found)
    if (isSourcePath(file, folder)) report.add("source/read-twice", place, { file, folder, key });
  return found.map(({ path }) => path).filter((path) => !isSourcePath(path, folder));
}

interface About {
  readonly listed: Listed;
  readonly key: "imports" | "layers";
  /** In rolecall.yaml. */
  readonly place: Place;
}

function readForeign(file: string, about: About, reading: SourceReading): SourceDocument[] {
  const { report, broken } = reading;
  const unread = (): [] => {
    broken.add(ANYTHING);
    return [];
  };
  reading.looked.add(file);
  const read = (path: string, text: string) => reading.read(path, plainText(path, text), report);
  const value = readValue({ path: file }, { ...reading, read });
  if (value === undefined) return unread();
  const format = formatOf(value, file, about, reading);
  if (format === undefined) return unread();
  const root: Place = { file, path: [] };
  if (checkShape(format.schema(), value, root, report).length > 0) return unread();
  const translated = translate(format, value, root, about, reading);
  const faults = checkShape(blocksSchema, translated.blocks, { ...root, origins: translated.origins }, report);
  return [
    {
      file,
      guard: false,
      layer: about.key === "layers",
      ...(format.rolesAddUp && { rolesAddUp: true }),
      origins: translated.origins,
      blocks: soundBlocks(translated.blocks, faults, broken),
    },
  ];
}

function translate(
  format: AnyFormat,
  value: JsonValue,
  root: Place,
  { listed, key }: About,
  { report }: SourceReading,
): Translated {
  const renaming = { key, servers: listed.servers ?? {}, role: listed.role ?? "agent", title: format.title };
  return translating(root, renaming, report, (made) => format.read(value as never, made));
}

/** The one that is named, or the one whose keys these are; of several the one whose file is usually called so. */
function formatOf(value: JsonValue, file: string, about: About, reading: SourceReading): AnyFormat | undefined {
  const { as } = about.listed;
  if (as !== undefined) return allFormats.find(({ id }) => id === as) ?? sayUnknown(file, about, reading);
  const found = allFormats.filter((format) => isIn(format, value));
  const usual = found.filter(({ usualFile }) => usualFile?.test(file));
  const [format, another] = usual.length > 0 ? usual : found;
  if (format === undefined) return sayUnknown(file, about, reading);
  if (another === undefined) return format;
  const formats = found.map(({ id }) => `\`${id}\``).join(" or ");
  reading.report.add("source/several-formats", about.place, { file, key: about.key, formats });
  return undefined;
}

function isIn(format: AnyFormat, value: JsonValue): boolean {
  if (Array.isArray(value)) return format.recognisesList?.(value) === true;
  return isObject(value) && format.recognises(value);
}

function sayUnknown(file: string, { listed: { as }, key, place }: About, { report }: SourceReading): undefined {
  const ids = allFormats.map(({ id }) => id);
  const near = as === undefined ? undefined : nearest(as, ids);
  report.add("source/unknown-format", place, {
    file,
    key,
    formats: ids.map((id) => `\`${id}\``).join(", "),
    advice: near && `did you mean \`as: ${near}\`?`,
  });
  return undefined;
}
