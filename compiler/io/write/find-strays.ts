import { type Dirent, lstatSync, readdirSync, readSync } from "node:fs";
import path from "node:path";
import { byName } from "../../base/order.ts";
import { CLOSED_FOLDERS, PROJECT_FILE } from "../../base/project-layout.ts";
import { bearsHeader, HEADER_WITHIN } from "../../base/bears-header.ts";
import { withPlainFile } from "../bytes.ts";
import { LIST_NAME } from "../../base/file-list.ts";
import { joined } from "../read/folder-entries.ts";

const MOST_ENTRIES = 200_000;

export interface FilesBelow {
  /** Plain files, relative to the project, whatever they hold. */
  readonly files: readonly string[];
  /** Sorted names in every folder that was looked through. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
}

/** Files that bear our header and that no build of this project makes: an earlier output, left behind. */
export function strays(dir: string, made: ReadonlySet<string>): readonly string[] {
  const candidates = filesBelow(dir, [""]).files.filter((file) => !made.has(file) && HEADED.test(file));
  return candidates.filter((file) => isHeaded(path.join(dir, file)));
}

/** The kinds of files that have room for it. */
const HEADED = /(?:\.(?:ts|md|json|toml|txt)|\.gitattributes)$/;

/** What this project writes to. */
export interface OwnFolders {
  /** Of output, with a list of it. */
  readonly outs: readonly string[];
  /** In which a file of the build lies: whatever lies beside that, no other project's. */
  readonly made: ReadonlySet<string>;
}

/**
 * What lies below some folders of the project. Links aren't followed, and folders of another project aren't entered:
 * those with a rolecall.yaml, or with a list of output that is none of `own`, where these are said. Of folders in which
 * a file of the build lies the names are told in any case.
 */
export function filesBelow(dir: string, starts: readonly string[], own?: OwnFolders): FilesBelow {
  const files: string[] = [];
  const folders = new Map<string, readonly string[]>();
  let entries = 0;
  const enter = (folder: string): void => {
    if (folders.has(folder) || entries > MOST_ENTRIES) return;
    const found = entriesOf(path.join(dir, folder));
    entries += found.length;
    const isOwn = starts.includes(folder) || own?.made.has(folder) === true;
    if (!isOwn && isAnothers(folder, found, dir, own)) return;
    folders.set(folder, namesOf(found));
    for (const entry of found) {
      if (entry.isFile()) files.push(joined(folder, entry.name));
      else if (entry.isDirectory() && !CLOSED_FOLDERS.includes(entry.name)) enter(joined(folder, entry.name));
    }
  };
  const open = starts.filter((start) => isPlainFolder(path.join(dir, start)));
  open.forEach(enter);
  for (const folder of own?.made ?? []) {
    if (folders.has(folder) || !open.some((start) => folder.startsWith(`${start}/`))) continue;
    folders.set(folder, namesOf(entriesOf(path.join(dir, folder))));
  }
  return { files, folders };
}

function namesOf(entries: readonly Dirent[]): string[] {
  return entries.map(({ name }) => name);
}

/** Whether a plain file begins with our header. */
function isHeaded(file: string): boolean {
  return withPlainFile(file, (handle) => bearsHeader(beginOf(handle))) ?? false;
}

function isAnothers(folder: string, entries: readonly Dirent[], dir: string, own: OwnFolders | undefined): boolean {
  if (entries.some((entry) => entry.name === PROJECT_FILE)) return true;
  if (own === undefined) return false;
  const listed = entries.some((entry) => entry.name === LIST_NAME && entry.isFile());
  return listed && !own.outs.includes(folder) && isHeaded(path.join(dir, folder, LIST_NAME));
}

function beginOf(handle: number): string {
  const bytes = Buffer.allocUnsafe(HEADER_WITHIN);
  return bytes.toString("utf8", 0, readSync(handle, bytes, 0, HEADER_WITHIN, 0));
}

function isPlainFolder(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => byName(a.name, b.name));
  } catch {
    return [];
  }
}
