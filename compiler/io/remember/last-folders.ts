import path from "node:path";
import { DEFAULTS } from "../../base/project-layout.ts";
import { makeWorkFolder, readOwnNote, WORK_FOLDER, writeOwnNote } from "./work-folder.ts";

/** Where the last build wrote, so that its output is found again once `out:` or `folder:` says something else. */
const NOTE = "out";

export interface LastFolders {
  readonly out: string;
  readonly folder: string;
}

export function lastFolders(dir: string): LastFolders | undefined {
  const [out, folder] = readOwnNote(path.join(dir, WORK_FOLDER, NOTE))?.split("\n") ?? [];
  return out === undefined ? undefined : { out, folder: folder ?? DEFAULTS.folder };
}

/** Fails in silence: after a change the old output then stays where it is, and `doctor` names it. */
export function rememberFolders(dir: string, { out, folder }: LastFolders): void {
  const last = lastFolders(dir);
  if (last?.out === out && last.folder === folder) return;
  try {
    writeOwnNote(path.join(makeWorkFolder(dir), NOTE), () => `${out}\n${folder}`);
  } catch {
    return;
  }
}
