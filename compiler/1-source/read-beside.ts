import { isObject } from "../base/json.ts";
import { createReport } from "../diagnostics/report.ts";
import { plainText } from "./document/plain-text.ts";
import type { SettingsBeside, FoundSettings, Narrowing } from "./formats/narrowing.ts";
import type { AnyFormat } from "./formats/types.ts";
import type { OwnOutput } from "./own-output.ts";
import type { SourceReading } from "./read-shaped.ts";
import type { FileAnswer } from "./types.ts";

/** Holds the servers of a file that is taken over to settings of its program in other files of the project. */
export function readBeside(
  file: string,
  { beside, usualFile }: AnyFormat,
  made: Narrowing,
  output: OwnOutput | undefined,
  reading: Pick<SourceReading, "files" | "read">,
): void {
  if (beside === undefined || made.servers.length === 0) return;
  const found = filesOf(beside, foldersOf(file, usualFile), reading)
    .filter((one) => one !== file)
    .flatMap((one) => settingsIn(one, made, output, reading));
  if (found.length > 0) beside.read(found, made);
}

/** The project's, and where the file is usual for its program the one in which the program reads it. */
function foldersOf(file: string, usual: RegExp | undefined): string[] {
  const at = usual?.exec(file)?.index ?? 0;
  const folder = file.slice(0, at);
  return folder === "" || /^\.\.|^\/|[*?\\]|^[A-Za-z]:/.test(folder) ? [""] : ["", `${folder}/`];
}

function filesOf(
  { files }: SettingsBeside,
  folders: readonly string[],
  reading: Pick<SourceReading, "files">,
): string[] {
  const named = files.flatMap((one) => folders.map((folder) => folder + one));
  return named.flatMap((one) => (one.includes("*") ? reading.files.match(one).map(({ path }) => path) : [one]));
}

function settingsIn(
  file: string,
  made: Narrowing,
  output: OwnOutput | undefined,
  { files, read }: Pick<SourceReading, "files" | "read">,
): FoundSettings[] {
  const answer: FileAnswer = files.read(file);
  if (answer.problem === "missing") return [];
  if (answer.problem === undefined && output?.isWhole(file, answer.text) === true) return [];
  const text = answer.problem === undefined ? plainText(file, answer.text) : undefined;
  if (text?.trim() === "") return [];
  const report = createReport(() => undefined);
  const value = text === undefined ? undefined : read(file, text, report);
  if (!isObject(value) || report.count > 0) {
    if (text !== undefined && /\.md$/i.test(file) && !mayName(text, made.servers)) return [];
    const help = "it can't be read: mend it, or say in roles and policies what it takes away";
    made.leave({ file, path: [] }, `\`${file}\``, help);
    return [];
  }
  // What a build wrote there is about roles, and no agent of the team's.
  const own = /\.md$/i.test(file) ? (output?.keysOf(file) ?? []).map(([key]) => key) : [];
  return [{ file, value: Object.fromEntries(Object.entries(value).filter(([key]) => !own.includes(key))) }];
}

/** Agents' headers are seldom sound YAML. */
function mayName(text: string, servers: readonly string[]): boolean {
  return /mcp/i.test(text) || servers.some((server) => text.includes(server));
}
