import { lstatSync } from "node:fs";
import path from "node:path";
import { LIST_NAME, newListOf } from "../../base/file-list.ts";
import { isPassedBy } from "../../base/passed-by.ts";
import { readPlainText } from "../bytes.ts";

/**
 * Files by which a build is noticed that no watcher tells of: of a folder that was taken away and made again, or beyond
 * what the system keeps of notices. All of them where `isWhole`, or where no watcher follows the folder.
 */
export function builtFiles(dir: string, out: string, isWhole: boolean): readonly string[] {
  const list = `${out}/${LIST_NAME}`;
  const listed = isWhole || !isFollowed(dir, out) ? listedBelow(path.join(dir, list), `${out}/`) : [];
  return [`${out}/access.json`, list, ...listed];
}

/** A watcher passes by folders such as `.generated`, and follows no link. */
function isFollowed(dir: string, folder: string): boolean {
  const names = folder.split("/");
  return names.every((name, at) => !isPassedBy(name) && !isLink(path.join(dir, ...names.slice(0, at + 1))));
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return true;
  }
}

function listedBelow(list: string, start: string): string[] {
  try {
    const { files, keys } = newListOf(readPlainText(list) ?? "");
    return [...files, ...keys.keys()].filter((file) => file.startsWith(start));
  } catch {
    return [];
  }
}
