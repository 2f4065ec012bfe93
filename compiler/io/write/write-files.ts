import path from "node:path";
import type { Report } from "../../diagnostics/report.ts";
import { digestOfBytes, plainBytes } from "../bytes.ts";
import { problemOf } from "../read/file-problem.ts";
import { lock } from "./lock.ts";
import { openRealPaths } from "../read/real-paths.ts";
import { refusalCase } from "./refusal-words.ts";
import { openStaging, recover, type Refusal, type Staging } from "./staging.ts";

export interface FileToWrite {
  readonly path: string;
  readonly text: string;
}

/** Puts one file in its place, whole or not at all. False: it couldn't, and the report says why. */
export function writeOneFile(dir: string, file: string, text: string, report: Report): boolean {
  return writeFiles(dir, [{ path: file, text }], report);
}

/** Puts all of them in their places, or none. False: it couldn't, and the report says why. */
export function writeFiles(dir: string, files: readonly FileToWrite[], report: Report): boolean {
  if (files.length === 0) return true;
  let unlock: (() => void) | undefined;
  let staging: Staging | undefined;
  try {
    for (const file of files) refuseToLeave(dir, file.path);
    unlock = lock(dir);
    recover(dir);
    staging = openStaging(dir);
    for (const { path: file, text } of files) staging.add(file, Buffer.from(text), digestOfFile(dir, file));
    staging.commit();
    return true;
  } catch (error) {
    const { code, refused } = error as Partial<Refusal>;
    if (typeof code !== "string") throw error;
    report.add("output/cannot-write", undefined, { file: refused ?? files[0]?.path ?? "", ...refusalCase({ code }) });
    return false;
  } finally {
    staging?.discard();
    unlock?.();
  }
}

/** Neither the file nor a folder on its way may be a link that leads out of the project. */
function refuseToLeave(dir: string, file: string): void {
  const paths = openRealPaths(dir);
  for (let at = file; at !== "."; at = path.posix.dirname(at)) {
    const real = paths.real(at);
    const isOut = real.problem === undefined ? !real.inside : real.problem !== "missing";
    if (isOut) throw Object.assign(new Error("it leads out of the project"), { code: "ENOTDIR", refused: at });
  }
}

function digestOfFile(dir: string, file: string): string | undefined {
  try {
    return digestOfBytes(plainBytes(path.join(dir, file), Infinity));
  } catch (error) {
    if (problemOf(error) === "missing") return undefined;
    const { code, message } = error as NodeJS.ErrnoException;
    throw Object.assign(error as Error, { refused: file, code: code ?? message });
  }
}
