import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { RecordLine, TeamOptions } from "../api.ts";
import { beforeTheEnd } from "../connect/last-things.ts";

/** The record of calls: one line each, to a file (buffered, rotated by size) or to a function of the app. */
export interface Recorder {
  write(line: RecordLine): void;
  close(): void;
}

const BUFFER = 64 * 1024;
const EVERY_MS = 1_000;
const LARGEST = 10 * 1024 * 1024;
const KEPT = 5;

export function createRecorder(
  target: TeamOptions["record"],
  run: string,
  failed: (error: unknown) => void,
): Recorder | undefined {
  if (target === undefined) return undefined;
  if (typeof target === "string") return fileRecorder(target.replaceAll("{run}", fileName(run)), failed);
  return {
    write(line) {
      try {
        target(line);
      } catch (error) {
        failed(error);
      }
    },
    close() {},
  };
}

/** A run's id may be anybody's text: it names one file or folder and leads nowhere else. */
function fileName(run: string): string {
  return run.replace(/[^A-Za-z0-9._-]|^\.+/g, "_");
}

function fileRecorder(file: string, failed: (error: unknown) => void): Recorder {
  let lines: string[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const text = `${lines.join("\n")}\n`;
    lines = [];
    size = 0;
    try {
      append(file, text);
    } catch (error) {
      failed(error);
    }
  };
  let forget: (() => void) | undefined;
  return {
    write(line) {
      forget ??= beforeTheEnd(flush);
      const text = JSON.stringify(line);
      lines.push(text);
      size += text.length;
      if (size >= BUFFER) flush();
      else timer ??= setTimeout(flush, EVERY_MS).unref();
    },
    close() {
      flush();
      forget?.();
      forget = undefined;
    },
  };
}

/** One write: lines of several processes don't mix. */
function append(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && size + text.length > LARGEST) rotate(file);
  appendFileSync(file, text);
}

/** `calls.jsonl` becomes `calls.jsonl.1`; what was `.5` is gone. */
function rotate(file: string): void {
  for (let age = KEPT; age >= 1; age--) {
    const from = age === 1 ? file : `${file}.${age - 1}`;
    if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${file}.${age}`);
  }
}
