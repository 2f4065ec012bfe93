import { lstatSync, statSync } from "node:fs";
import path from "node:path";
import { PROJECT_FILE } from "../../base/project-layout.ts";

/** Spellings of the file at a project's root: the wrong one means a project too, which is told what is wrong with it. */
const ROOT_FILES = [PROJECT_FILE, "rolecall.yml"];

/**
 * Where the nearest project above lies, as `../..`; undefined where one lies here, or nowhere. A project says which
 * programs are started, so one that another user put above (in `/tmp`, say) is taken only by its name.
 */
export function projectAbove(dir: string): string | undefined {
  if (ROOT_FILES.some((file) => lstatSync(path.join(dir, file), { throwIfNoEntry: false }))) return undefined;
  const above = folderAbove(dir, ROOT_FILES);
  return above !== undefined && isTrusted(path.join(dir, above), dir) ? above : undefined;
}

/** Ours, the system's, or of whoever owns the folder that we stand in. */
function isTrusted(folder: string, dir: string): boolean {
  const ownerOf = (file: string): number | undefined => lstatSync(file, { throwIfNoEntry: false })?.uid;
  const trusted = [process.getuid?.(), 0, ownerOf(dir)];
  return ROOT_FILES.map((file) => ownerOf(path.join(folder, file))).every(
    (owner) => owner === undefined || trusted.includes(owner),
  );
}

export function hasProject(dir: string): boolean {
  return isFile(path.join(dir, PROJECT_FILE));
}

/** The nearest folder above that has one of these files, by the way to it. */
export function folderAbove(dir: string, files: readonly string[]): string | undefined {
  const above = path.dirname(dir);
  if (above === dir) return undefined;
  if (files.some((file) => isFile(path.join(above, file)))) return "..";
  const further = folderAbove(above, files);
  return further && `../${further}`;
}

/** A folder that can't be read counts as one without a project. */
function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
