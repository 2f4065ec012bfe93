import path from "node:path";
import { readPlainText } from "../bytes.ts";
import { type FileList, LIST_NAME, newListOf, unitedLists } from "./file-list.ts";
import { sidesOfMerge } from "./merge-sides.ts";
import { OLD_LIST_NAME, oldListOf } from "./old-file-list.ts";

export interface ListsFound extends FileList {
  /** Lists of an earlier rolecall, which go now. */
  readonly old: readonly string[];
}

/**
 * What the lists in these folders name, today's and that of an earlier rolecall. While git merges, those of both sides
 * count too: where one side dropped a line and the other changed what it named, git keeps the thing and drops the line.
 */
export function readFileLists(dir: string, folders: readonly string[]): ListsFound {
  const lists: FileList[] = [];
  const old: string[] = [];
  for (const folder of folders) {
    const [file, oldFile] = [path.posix.join(folder, LIST_NAME), path.posix.join(folder, OLD_LIST_NAME)];
    for (const text of [readPlainText(path.join(dir, file)), ...sidesOfMerge(dir, file)])
      if (text !== undefined) lists.push(newListOf(text));
    const former = readPlainText(path.join(dir, oldFile));
    const named = former === undefined ? undefined : oldListOf(former);
    if (named === undefined) continue;
    old.push(oldFile);
    lists.push(named);
    for (const text of sidesOfMerge(dir, oldFile)) lists.push(...[oldListOf(text) ?? []].flat());
  }
  return { ...unitedLists(lists), old };
}
