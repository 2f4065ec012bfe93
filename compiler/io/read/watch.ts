import { type FSWatcher, readdirSync, statSync, watch as watchFolder } from "node:fs";
import path from "node:path";
import { sorted } from "../../base/order.ts";
import { isPassedBy } from "../../base/passed-by.ts";
import { fileMark } from "./file-mark.ts";
import { joined } from "./folder-entries.ts";

const QUIET_MS = 50;
const POLL_MS = 500;
const SOURCE = /\.(?:yaml|yml|json|toml)$/;

export interface WatchOptions {
  /** Paths, relative to the project, that a build writes: a change to them is no reason to build. */
  readonly ignore?: (file: string) => boolean;
  /** `poll` where the system's own notices don't arrive, as on some network drives. */
  readonly by?: "notices" | "poll";
  /** Files that aren't sources and are followed all the same, wherever they lie, at the moment. */
  readonly others?: () => readonly string[];
  /** The folder of sources at the moment: whatever lies there, a slip in its name may be mended. */
  readonly folder?: () => string;
}

/** Calls back, once things are quiet again, with the sources that changed. Returns how to stop. */
export function watch(
  dir: string,
  onChange: (files: readonly string[]) => void,
  options: WatchOptions = {},
): () => void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const isWanted = (file: string) =>
    SOURCE.test(file) || (options.folder !== undefined && isVisible(file, `${options.folder()}/`));
  const notice = (file: string) => {
    if (isWanted(file)) tell(file);
  };
  const tell = (file: string) => {
    if (closed || options.ignore?.(file)) return;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const files = sorted(changed);
      changed.clear();
      onChange(files);
    }, QUIET_MS);
  };
  let stop: () => void;
  const poll = () => void (stop = pollTree(dir, isWanted, notice));
  if (options.by === "poll") poll();
  else {
    stop = watchTree(dir, isWanted, notice, () => {
      stop();
      if (!closed) poll();
    });
  }
  const stopOthers = options.others && pollOthers(dir, options.others, tell);
  return () => {
    closed = true;
    clearTimeout(timer);
    stopOthers?.();
    stop();
  };
}

type Wanted = (file: string) => boolean;

/** Editors write what begins with a dot, or ends in a tilde, beside what is meant. */
function isVisible(file: string, start: string): boolean {
  return file.startsWith(start) && !/(?:^|\/)\.|~$/.test(file.slice(start.length));
}

/** A watcher for each folder: one for the whole tree would take node_modules along. `fail` is called at most once, later. */
function watchTree(dir: string, isWanted: Wanted, notice: (file: string) => void, fail: () => void): () => void {
  const watchers = new Map<string, { readonly folder: string; readonly watcher: FSWatcher }>();
  let failed = false;
  const failOnce = () => {
    if (!failed) setImmediate(fail);
    failed = true;
  };
  const forget = (folder: string) => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };
  const follow = (folder: string, isNew: boolean) => {
    for (const entry of [folder, ...foldersBelow(dir, folder)]) {
      if (watchers.has(entry)) continue;
      const mark = folderMark(path.join(dir, entry));
      try {
        const watcher = watchFolder(path.join(dir, entry), (_, name) => name !== null && changed(joined(entry, name)));
        watcher.on("error", () => forget(entry));
        watchers.set(entry, { folder: mark, watcher });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") failOnce();
      }
      if (isNew) for (const file of filesIn(dir, entry, isWanted)) notice(file);
    }
  };
  const changed = (file: string) => {
    const folder = folderMark(path.join(dir, file));
    if (folder === "" || SOURCE.test(file)) notice(file);
    if (isPassedBy(path.basename(file))) return;
    // Trap: one that was taken away and made again in the meantime is another folder, and its watcher hears nothing.
    if (watchers.get(file)?.folder !== folder) dropBelow(file);
    // A folder that came may hold files that were written before anybody watched it.
    if (folder !== "" && !watchers.has(file)) follow(file, true);
  };
  const dropBelow = (folder: string) => {
    for (const known of Array.from(watchers.keys())) {
      if (known !== folder && !known.startsWith(`${folder}/`)) continue;
      forget(known);
      notice(`${known}/.yaml`);
    }
  };
  follow("", false);
  return () => [...watchers.keys()].forEach(forget);
}

function pollTree(dir: string, isWanted: Wanted, notice: (file: string) => void): () => void {
  let before = timesOf(dir, isWanted);
  const timer = setInterval(() => {
    const now = timesOf(dir, isWanted);
    for (const [file, time] of now) if (before.get(file) !== time) notice(file);
    for (const file of before.keys()) if (!now.has(file)) notice(file);
    before = now;
  }, POLL_MS);
  return () => clearInterval(timer);
}

/** A file that is named for the first time counts as changed when it did since the look before: a build may have read it in between. */
function pollOthers(dir: string, others: () => readonly string[], tell: (file: string) => void): () => void {
  const before = new Map(others().map((file) => [file, fileMark(path.join(dir, file))]));
  let lookedAt = Date.now();
  const timer = setInterval(() => {
    const since = lookedAt - QUIET_MS;
    lookedAt = Date.now();
    for (const file of others()) {
      const now = fileMark(path.join(dir, file));
      if (before.has(file) ? before.get(file) !== now : changedSince(path.join(dir, file), since)) tell(file);
      before.set(file, now);
    }
  }, POLL_MS);
  return () => clearInterval(timer);
}

function changedSince(file: string, since: number): boolean {
  try {
    return (statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0) > since;
  } catch {
    return false;
  }
}

function timesOf(dir: string, isWanted: Wanted): Map<string, string> {
  const times = new Map<string, string>();
  for (const folder of ["", ...foldersBelow(dir, "")]) {
    for (const file of filesIn(dir, folder, isWanted)) {
      const time = fileMark(path.join(dir, file));
      if (time !== undefined) times.set(file, time);
    }
  }
  return times;
}

function* foldersBelow(dir: string, folder: string): Generator<string> {
  for (const entry of entriesIn(dir, folder)) {
    if (!entry.isDirectory() || isPassedBy(entry.name)) continue;
    const below = joined(folder, entry.name);
    yield below;
    yield* foldersBelow(dir, below);
  }
}

function filesIn(dir: string, folder: string, isWanted: Wanted): string[] {
  return entriesIn(dir, folder)
    .filter((entry) => !entry.isDirectory())
    .map((entry) => joined(folder, entry.name))
    .filter(isWanted);
}

function entriesIn(dir: string, folder: string) {
  try {
    return readdirSync(path.join(dir, folder), { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Which folder it is, whatever changes in it; empty: none. */
function folderMark(file: string): string {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isDirectory() === true ? `${stats.ino} ${stats.birthtimeMs}` : "";
  } catch {
    return "";
  }
}
