import { linkSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readPlainText } from "../bytes.ts";
import { removeFile } from "./remove.ts";
import { makeWorkFolder } from "../remember/work-folder.ts";

const PATIENCE_MS = 20_000;
const PAUSE_MS = 15;
/** A lock that names nobody for so long is what a full disk or an older version left. */
const NAMELESS_MS = 1000;

/**
 * Only one build at a time puts files into place. Waits for another one; takes the lock of a build that died.
 * Returns how to let go; throws what the file system throws, and `ELOCKED` when the other one doesn't end.
 */
export function lock(dir: string): () => void {
  const file = path.join(makeWorkFolder(dir), "lock");
  const turn = waitTurn(file, PATIENCE_MS, false);
  while (!turn()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  return () => removeFile(file);
}

/** As `lock`, for asynchronous work: it waits without blocking the process, which may itself hold the lock. */
export async function withLockFile<T>(file: string, patienceMs: number, work: () => Promise<T>): Promise<T> {
  const turn = waitTurn(file, patienceMs, true);
  while (!turn()) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  try {
    return await work();
  } finally {
    removeFile(file);
  }
}

/** Each call is one attempt; true once the lock is ours. */
function waitTurn(file: string, patienceMs: number, mayBeOurs: boolean): () => boolean {
  const mine = `${nameOf(process.pid)}\n`;
  const began = performance.now();
  const until = began + patienceMs;
  let named = began;
  return () => {
    if (taken(file, mine)) {
      sweep(path.dirname(file));
      return true;
    }
    const holder = holderOf(file);
    if (holder !== undefined) named = performance.now();
    if (performance.now() - named > NAMELESS_MS) {
      rmSync(file, { force: true, recursive: true });
      named = performance.now();
    } else if (holder !== undefined && !isAlive(holder, mayBeOurs)) setAside(file, holder);
    else if (performance.now() > until) throw Object.assign(new Error("locked"), { code: "ELOCKED", holder });
    return false;
  };
}

/** What builds left that were killed while they asked for the lock. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^lock\.(?:new-)?(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(pid)) rmSync(path.join(folder, name), { force: true });
  }
}

/** The file gets its content before it gets its place, so a lock is never seen empty. */
function taken(file: string, mine: string): boolean {
  const made = `${file}.new-${process.pid}`;
  try {
    writeFileSync(made, mine);
    linkSync(made, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    removeFile(made);
  }
}

/** A process by its number and, where the system tells, the moment of its start: numbers are given out again. */
function nameOf(pid: number): string {
  try {
    // The second field is the program's name, in parentheses and with anything in it.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)!.split(" ");
    const started = fields[19];
    return started !== undefined && /^\d+$/.test(started) ? `${pid} ${started}` : `${pid}`;
  } catch {
    return `${pid}`;
  }
}

/** Undefined when the lock was just released, or names no process. */
function holderOf(file: string): string | undefined {
  const text = readPlainText(file);
  return text !== undefined && /^\d+(?: \d+)?\n$/.test(text) ? text.trimEnd() : undefined;
}

/** Our own number in a lock that we can't hold is an earlier process's. */
function isAlive(holder: string, mayBeOurs = false): boolean {
  const pid = Number.parseInt(holder, 10);
  if (pid === process.pid) return mayBeOurs && holder === nameOf(pid);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = nameOf(pid);
  return !holder.includes(" ") || !now.includes(" ") || holder === now;
}

/** Moved away first: of two that find a dead lock, one moves it, and a lock that was newly taken meanwhile is put back. */
function setAside(file: string, holder: string): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (holderOf(aside) !== holder) renameSync(aside, file);
  } catch {
    return;
  }
  rmSync(aside, { force: true });
}
