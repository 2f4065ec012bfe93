import { isObject, type JsonObject } from "../base/json.ts";
import { isOutside } from "../base/project-layout.ts";
import { createReport } from "../diagnostics/report.ts";
import { plainText } from "./document/plain-text.ts";
import type { SettingsBeside, FoundSettings, Narrowing } from "./formats/narrowing.ts";
import type { AnyFormat } from "./formats/types.ts";
import { withoutKey, type OwnOutput } from "./own-output.ts";
import type { SourceReading } from "./read-shaped.ts";
import type { FileAnswer } from "./types.ts";

interface Wanted {
  readonly made: Narrowing;
  readonly output: OwnOutput | undefined;
  /** Settings of the team alone: no person's own, and none of agents, of which nothing can be held. */
  readonly isTeams: boolean;
}

/** Holds the servers of a file to settings of its program in other files of the project: which these are, there or not. */
export function readBeside(
  file: string,
  { beside, usualFile }: AnyFormat,
  { made, output, isTeams }: Wanted,
  reading: Pick<SourceReading, "files" | "read">,
): readonly string[] {
  if (beside === undefined || made.servers.length === 0) return [];
  const wanted = isTeams ? beside.files.filter((one) => !/\*|\.local\./.test(one)) : beside.files;
  const files = filesOf(wanted, foldersOf(file, usualFile), reading).filter((one) => one !== file);
  const found = files.flatMap((one) => settingsIn(one, made, output, reading));
  const theirs = isTeams ? found.map((one) => withoutOwn(one, output)) : found;
  if (theirs.length > 0) beside.read(theirs, made);
  return files;
}

/** Of the keys that a build wrote. Nothing is held to what is left: who lists keys falsely opens nothing. */
function withoutOwn({ file, value }: FoundSettings, output: OwnOutput | undefined): FoundSettings {
  return { file, value: (output?.keysOf(file) ?? []).reduce<JsonObject>(withoutKey, value) };
}

/**
 * The project's, and where the file is usual for its program the one in which the program reads it: over a folder with a dot.
 * Of any other file that lies outside of the project, its own.
 */
function foldersOf(file: string, usual: RegExp | undefined): string[] {
  const at = usual?.exec(file)?.index ?? (isOutside(file) ? file.lastIndexOf("/") : 0);
  const folder = file.slice(0, at);
  if (folder === "" || /^\/|[*?\\]|^[A-Za-z]:/.test(folder)) return [""];
  const around = folder.replace(/(?:^|\/)\.[^/.][^/]*$/, "");
  return [...new Set(["", around === "" ? "" : `${around}/`, `${folder}/`])];
}

function filesOf(
  files: SettingsBeside["files"],
  folders: readonly string[],
  reading: Pick<SourceReading, "files">,
): string[] {
  const named = files.flatMap((one) => folders.map((folder) => folder + one)).flatMap(withDots);
  // Outside only what a glob names is opened.
  const isSought = (one: string) => one.includes("*") || isOutside(one);
  const found = named.flatMap((one) => (isSought(one) ? reading.files.match(one).map(({ path }) => path) : [one]));
  return [...new Set(found)];
}

/** `**` passes by folders that begin with a dot, and programs find agents in these too. */
function withDots(glob: string): string[] {
  return glob.includes("**/")
    ? ["", ".*/**/", ".*/**/.*/**/"].map((dots) => glob.replace("**/", `**/${dots}`))
    : [glob];
}

function settingsIn(
  file: string,
  made: Narrowing,
  output: OwnOutput | undefined,
  { files, read }: Pick<SourceReading, "files" | "read">,
): FoundSettings[] {
  const answer: FileAnswer = files.read(file);
  if (answer.problem === "missing") return [];
  const raw = answer.problem === undefined ? answer.text : undefined;
  const text = raw === undefined ? undefined : plainText(file, raw);
  if (text?.trim() === "" || (text === undefined && raw !== undefined && !mayBeginHeader(raw))) return [];
  const report = createReport(() => undefined);
  const value = text === undefined ? undefined : read(file, text, report);
  if (!isObject(value) || report.count > 0) {
    if (raw !== undefined && /\.md$/i.test(file) && !mayName(text ?? raw, made.servers)) return [];
    const help = "it can't be read: mend it, or say in roles and policies what it takes away";
    made.leave({ file, path: [] }, `\`${file}\``, help);
    return [];
  }
  // What a build writes there is about roles, and no rule of the team's. No host of ours has a whole file in such a place.
  const theirs = (output?.rulesOf(file) ?? []).reduce<JsonObject>(withoutKey, value);
  return [{ file, value: output?.withoutOwnServers(file, theirs) ?? theirs }];
}

/** As hosts take it; what they make of one that begins later or doesn't end differs. */
function mayBeginHeader(page: string): boolean {
  return /^\s*---/.test(page);
}

/** Agents' headers are seldom sound YAML. */
function mayName(text: string, servers: readonly string[]): boolean {
  return /mcp/i.test(text) || servers.some((server) => text.includes(server));
}
