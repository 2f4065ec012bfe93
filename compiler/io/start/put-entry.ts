import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { StartEntry } from "../../4-fit/types.ts";
import { plainBytes } from "../bytes.ts";
import { textWithKeys } from "../text-with-keys.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** How a host that starts processes anywhere is told of one of rolecall's: by whole paths. */
export interface OwnProcess {
  /** The project's folder. */
  readonly dir: string;
  /** The program that runs rolecall, and what it is handed before the command's own words. */
  readonly command: readonly string[];
}

/** `problem` is a sentence. */
export type PutEntry =
  | { readonly file: string; readonly isNew: boolean; readonly problem?: never }
  | { readonly problem: string; readonly next: string };

/** What the entry says. */
export function entryValue({ args }: StartEntry, { dir, command: [command = "", ...first] }: OwnProcess): EntryValue {
  return { command, args: [...first, ...args, "--project", dir] };
}

interface EntryValue {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where the file lies for whoever asks; undefined: nobody knows. */
export function entryFile(entry: StartEntry, set: Variables, platform: NodeJS.Platform): string {
  const [variable, folder] = entry.folders[platform === "darwin" || platform === "win32" ? platform : "others"];
  const home = set["HOME"] || homedir();
  const base = variable === "HOME" ? home : set[variable] || path.join(home, "AppData", "Roaming");
  return path.join(base, folder, entry.file);
}

/** Everything else in the file stays as it is, and the file what it was: a link, for its user alone. */
export function putEntry(entry: StartEntry, own: OwnProcess, set: Variables, platform = process.platform): PutEntry {
  const named = entryFile(entry, set, platform);
  const folder = path.dirname(named);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { problem: `there is no folder \`${folder}\``, next: "start the program once: it makes the folder" };
  try {
    const before = readText(named);
    const at = [entry.key, entry.name];
    const { command, args } = entryValue(entry, own);
    const keys = [{ at, value: { command, args: [...args] } }];
    const filled = textWithKeys(before, { path: named, format: "json", keys }, [at]);
    if (filled.problem !== undefined) return { problem: filled.problem, next: "mend the file, and start again" };
    const isNew = filled.text !== before;
    if (isNew) replaceText(before === undefined ? named : realpathSync(named), filled.text);
    return { file: named, isNew };
  } catch (error) {
    const { code = "it is no text" } = error as NodeJS.ErrnoException;
    return { problem: `\`${named}\` can't be changed (${code})`, next: "look whose it is" };
  }
}

function readText(file: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(plainBytes(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** At once: who reads it meanwhile reads the one or the other. */
function replaceText(file: string, text: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600;
  const beside = `${file}.rolecall-${process.pid}`;
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    writeFileSync(beside, text, { mode: mode & 0o777, flag: "wx" });
    renameSync(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
}
