import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { digestAt } from "../bytes.ts";
import { linkOrCopy } from "../remember/kept-outputs.ts";
import { removeFolder } from "./remove.ts";
import { makeWorkFolder, readOwnNote, WORK_FOLDER, writeOwnNote } from "../remember/work-folder.ts";

/**
 * New files lie in `.rolecall/staging-*` until all of them are there, then go into place in one go. A journal is written
 * between the two: a build that dies before it has changed nothing, one that dies after it is finished by the next.
 */
export interface Staging {
  /** `before`: digest of what lies there now, undefined when nothing does. The bytes are free to change after the call. */
  add(file: string, bytes: Uint8Array, before: string | undefined, mode?: number): void;
  /** A file that lies nowhere yet, as a second name of one that is kept. */
  addKept(file: string, kept: string): void;
  remove(file: string, before: string): void;
  readonly empty: boolean;
  /** Everything into place, in the order added. When one thing fails, all goes back as it was and the error is thrown. */
  commit(): void;
  discard(): void;
}

interface Change {
  readonly file: string;
  /** Name of the new file in the staging folder; undefined: the file goes. */
  readonly staged: string | undefined;
  readonly before: string | undefined;
}

/** What failed, with the file that it was about. */
export interface Refusal extends Error {
  readonly refused: string;
  readonly code: string;
}

export function openStaging(dir: string): Staging {
  const changes: Change[] = [];
  let folder: string | undefined;
  const nextPlace = (): string => {
    folder ??= mkdtempSync(path.join(makeWorkFolder(dir), "staging-"));
    return path.join(folder, String(changes.length));
  };
  const discard = () => {
    if (folder !== undefined) removeFolder(folder);
    folder = undefined;
  };
  return {
    add: (file, bytes, before, mode) =>
      about(file, () => {
        const place = nextPlace();
        writeFileSync(place, bytes, { flag: "wx" });
        if (mode !== undefined) chmodSync(place, mode & 0o7777);
        changes.push({ file, staged: path.basename(place), before });
      }),
    addKept: (file, kept) =>
      about(file, () => {
        const place = nextPlace();
        linkOrCopy(kept, place);
        changes.push({ file, staged: path.basename(place), before: undefined });
      }),
    remove: (file, before) => void changes.push({ file, staged: undefined, before }),
    get empty() {
      return changes.length === 0;
    },
    commit: () => {
      folder ??= about(WORK_FOLDER, () => mkdtempSync(path.join(makeWorkFolder(dir), "staging-")));
      const journal = path.join(folder, "journal");
      about(WORK_FOLDER, () => writeOwnNote(journal, () => JSON.stringify(changes)));
      putIntoPlace(dir, folder, changes);
      discard();
    },
    discard,
  };
}

/** Finishes or forgets what builds that died have left. Call it only with the lock held. */
export function recover(dir: string): void {
  for (const name of leftovers(dir)) {
    const folder = path.join(dir, WORK_FOLDER, name);
    for (const change of journalOf(folder)) {
      const from = path.join(folder, change.staged ?? "");
      const to = path.join(dir, change.file);
      if (change.staged !== undefined && !exists(from)) continue;
      // Whoever changed the file since then keeps it: the ownership check speaks about it next.
      if (digestAt(to) !== change.before) continue;
      if (change.staged === undefined) unlinkSync(to);
      else place(from, to);
    }
    removeFolder(folder);
  }
}

export function leftovers(dir: string): string[] {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return [];
  const folder = path.join(dir, WORK_FOLDER);
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder).filter((name) => name.startsWith("staging-"));
}

function journalOf(folder: string): Change[] {
  const note = readOwnNote(path.join(folder, "journal"));
  if (note === undefined) return [];
  try {
    return JSON.parse(note) as Change[];
  } catch {
    return [];
  }
}

function putIntoPlace(dir: string, folder: string, changes: readonly Change[]): void {
  const done: Change[] = [];
  try {
    for (const change of changes) {
      done.push(change);
      about(change.file, () => carryOut(dir, folder, change, done.length));
    }
  } catch (error) {
    for (let i = done.length; i > 0; i--) takeBack(dir, folder, done[i - 1]!, i);
    throw error;
  }
  for (const change of changes) if (change.staged === undefined) removeEmptied(dir, path.dirname(change.file));
}

function carryOut(dir: string, folder: string, change: Change, number: number): void {
  const to = path.join(dir, change.file);
  const kept = path.join(folder, `kept-${number}`);
  if (change.staged === undefined) {
    place(to, kept);
    return;
  }
  // So that it can come back.
  if (change.before !== undefined) linkOrCopy(to, kept);
  place(path.join(folder, change.staged), to);
}

function takeBack(dir: string, folder: string, change: Change, number: number): void {
  const to = path.join(dir, change.file);
  const kept = path.join(folder, `kept-${number}`);
  try {
    if (exists(kept)) place(kept, to);
    else if (change.before === undefined && !exists(path.join(folder, change.staged ?? ""))) unlinkSync(to);
  } catch {
    // The journal's folder is about to go and the error that led here is the one to tell.
  }
}

function place(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" && exists(from)) {
      mkdirSync(path.dirname(to), { recursive: true });
      renameSync(from, to);
    } else if (code === "EXDEV") {
      const beside = `${to}.rolecall-new`;
      copyFileSync(from, beside);
      renameSync(beside, to);
      unlinkSync(from);
    } else throw error;
  }
}

/** Upwards, as long as nothing is left in them. */
function removeEmptied(dir: string, folder: string): void {
  if (folder === "." || folder === "" || folder.startsWith("..")) return;
  try {
    rmdirSync(path.join(dir, folder));
  } catch {
    return;
  }
  removeEmptied(dir, path.dirname(folder));
}

function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function about<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw Object.assign(error as Error, { refused: file });
  }
}
