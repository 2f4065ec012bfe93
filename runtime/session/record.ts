import { statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { RecordLine, ReportLine, TeamOptions } from "../api.ts";
import { beforeLeaving } from "../leaving.ts";
import { appendLines } from "./record-file.ts";
import { sinkRecorder } from "./record-sink.ts";
import { createSink } from "./sink.ts";

/** The record of calls: one line each, to a file (buffered, rotated by size) or to a function of the app. */
export interface Recorder {
  write(line: RecordLine): void;
  report(line: ReportLine): void;
  /** Resolves once every line is where it belongs, or can't get there. */
  close(): Promise<void>;
}

/**
 * What SIGKILL or a power cut can take: whatever came first since the last write. All other endings of the process (exit,
 * crash, SIGINT, SIGTERM, SIGHUP) write it.
 */
const BUFFER = 64 * 1024;
const EVERY_MS = 200;
/** Characters, while the file can't be written. */
const MOST_WAITING = 8_000_000;

export function createRecorder(
  target: TeamOptions["record"],
  run: string,
  failed: (error: unknown) => void,
  root?: string,
): Recorder | undefined {
  if (target === undefined) return undefined;
  if (typeof target === "string") return fileRecorder(target.replaceAll("{run}", fileName(run)), failed, root);
  if (typeof target === "object") return sinkRecorder(target, failed);
  const sink = createSink(target, failed);
  return { write: sink.give, report: () => {}, close: sink.settled };
}

/** A run's id may be anybody's text: it names one file or folder and leads nowhere else. */
function fileName(run: string): string {
  return run.replace(/[^A-Za-z0-9._-]|^\.+/g, "_");
}

/** `root`: where it is gone, no folder below it is made anew. */
function fileRecorder(given: string, failed: (error: unknown) => void, root: string | undefined): Recorder {
  // An app may change its folder later.
  const file = resolve(given);
  const home = root !== undefined && file.startsWith(`${root}${sep}`) ? root : undefined;
  let lines: string[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isBroken = false;
  let forget: (() => void) | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    try {
      if (home !== undefined) statSync(home);
      appendLines(file, `${lines.join("\n")}\n`);
      isBroken = false;
      lines = [];
      size = 0;
    } catch (error) {
      if (!isBroken) failed(error);
      isBroken = true;
      forgetOldest();
    }
  };
  /** A disk may have room again, or the folder be there: lines wait, but not for ever. */
  const forgetOldest = (): void => {
    let from = 0;
    for (; size > MOST_WAITING; from++) size -= lines[from]!.length;
    if (from > 0) lines = lines.slice(from);
  };
  const add = (line: RecordLine | ReportLine): void => {
    const text = JSON.stringify(line);
    lines.push(text);
    size += text.length;
    // A call that ends after the team was closed: nobody comes by any more to write it.
    if (isClosed || (size >= BUFFER && !isBroken)) return flush();
    forget ??= beforeLeaving(flush);
    timer ??= setTimeout(flush, EVERY_MS).unref();
  };
  return {
    write: add,
    report: add,
    async close() {
      isClosed = true;
      flush();
      forget?.();
    },
  };
}
