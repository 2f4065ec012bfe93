import { fileGlob } from "../base/file-glob.ts";
import { sorted } from "../base/order.ts";
import { isPassedBy } from "../base/passed-by.ts";
import { isSourceName } from "../base/source-name.ts";
import type { SourceFiles } from "./types.ts";

/** A project that lies in memory: path to text. For tests, and for whoever has no disk. */
export function memoryFiles(record: Readonly<Record<string, string>>): SourceFiles {
  const files = new Map(Object.entries(record));
  const listed = (wanted: (path: string) => boolean) =>
    sorted(files.keys())
      .filter(wanted)
      .map((path) => ({ path }));
  return {
    read: (path) => {
      const text = files.get(path);
      if (text !== undefined) return { text };
      return { problem: sorted(files.keys()).some((file) => file.startsWith(`${path}/`)) ? "directory" : "missing" };
    },
    list: (folder) => listed((path) => isEntered(path, folder) && isSourceName(path)),
    others: (folder) => listed((path) => isEntered(path, folder) && !isSourceName(path)),
    match: (glob) => listed(fileGlob(glob)),
  };
}

function isEntered(path: string, folder: string): boolean {
  const below = path.slice(folder.length + 1);
  return path.startsWith(`${folder}/`) && !below.split("/").slice(0, -1).some(isPassedBy);
}
