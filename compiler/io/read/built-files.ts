import { lstatSync } from "node:fs";
import path from "node:path";
import { LIST_NAME, newListOf } from "../../base/file-list.ts";
import { isPassedBy } from "../../base/passed-by.ts";
import { PROJECT_FILE } from "../../base/project-layout.ts";
import { readPlainText } from "../bytes.ts";
import { fileMark } from "./file-mark.ts";

/** A build that no watcher tells of: of a folder that was taken away and made again, or beyond what the system keeps of notices. */
export interface BuiltFollowed {
  /** All that lies there now is being looked at. */
  begin(): void;
  /** Something else lies there, and is written no more. Of many files each is looked at in its turn. */
  isAny(isWhole: boolean): boolean;
}

/** Anybody can write a list of output: of a longer one what it names is left to watchers. */
const LONGEST_LIST = 1_000_000;
const MOST_LISTED = 20_000;
/** Some milliseconds, twice a second, in the thread that answers clients. */
const MOST_AT_ONCE = 4_000;

/** `outs`: where builds may lie now. */
export function followBuilt(dir: string, outs: () => readonly string[]): BuiltFollowed {
  const markOf = (file: string): string | undefined => fileMark(path.join(dir, file));
  const marksOf = (files: readonly string[]) => new Map(files.map((file) => [file, markOf(file)]));
  const listedOf = createListed(dir, markOf);
  const first = (): string[] => [PROJECT_FILE, ...outs().flatMap((out) => [`${out}/access.json`, listOf(out)])];
  const listed = (isWhole: boolean): string[] =>
    outs().flatMap((out) => (isWhole || !isFollowed(dir, out) ? listedOf(out) : []));
  let lookedAt = marksOf([...first(), ...listed(false)]);
  /** What was another at the last poll. */
  let changed: ReadonlyMap<string, string | undefined> = new Map();
  let at = 0;
  const nextOf = (files: readonly string[]): readonly string[] => {
    const begin = at < files.length ? at : 0;
    at = begin + MOST_AT_ONCE;
    return files.slice(begin, at);
  };
  return {
    begin() {
      lookedAt = marksOf([...first(), ...listed(true)]);
      changed = new Map();
    },
    isAny(isWhole) {
      const files = [...first(), ...(changed.size > 0 ? changed.keys() : nextOf(listed(isWhole)))];
      const now = [...marksOf(files)].filter(([file, mark]) => lookedAt.get(file) !== mark);
      const isQuiet = now.length > 0 && now.every(([file, mark]) => changed.has(file) && changed.get(file) === mark);
      changed = new Map(now);
      return isQuiet;
    },
  };
}

function listOf(out: string): string {
  return `${out}/${LIST_NAME}`;
}

/** What a list names below its folder. It is read when it is another one. */
function createListed(dir: string, markOf: (file: string) => string | undefined): (out: string) => readonly string[] {
  const known = new Map<string, { readonly mark: string | undefined; readonly files: readonly string[] }>();
  return (out) => {
    const mark = markOf(listOf(out));
    const before = known.get(out);
    if (before !== undefined && before.mark === mark) return before.files;
    const text = readPlainText(path.join(dir, listOf(out)), LONGEST_LIST);
    const files = listedBelow(text ?? "", `${out}/`);
    // One that couldn't be opened at the moment has the same mark when it can.
    if (text !== undefined) known.set(out, { mark, files });
    return files;
  };
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

function listedBelow(text: string, start: string): string[] {
  const { files, keys } = newListOf(text);
  return [...files, ...keys.keys()].filter((file) => file.startsWith(start)).slice(0, MOST_LISTED);
}
