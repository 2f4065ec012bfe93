import path from "node:path";
import type { Report } from "../../diagnostics/report.ts";
import { digestOfBytes } from "../bytes.ts";
import { problemOf } from "../read/file-problem.ts";
import { lock } from "./lock.ts";
import { openRealPaths } from "../read/real-paths.ts";
import { refusalCase } from "./refusal-words.ts";
import { openStaging, recover, type Refusal, type Staging } from "./staging.ts";
import { readFileSync } from "node:fs";

/** Puts one file in its place, whole or not at all. False: it couldn't, and the report says why. */
export function writeOneFile(dir: string, file: string, text: string, report: Report): boolean {
  let unlock: (() => void) | undefined;
  let staging: Staging | undefined;
  try {
    refuseToLeave(dir, file);
    unlock = lock(dir);
    recover(dir);
    staging = openStaging(dir);
    staging.add(file, Buffer.from(text), digestOfFile(path.join(dir, file)));
    staging.commit();
    return true;
  } catch (error) {
    const { code, refused } = error as Partial<Refusal>;
    if (typeof code !== "string") throw error;
    report.add("output/cannot-write", undefined, { file: refused ?? file, ...refusalCase({ code }) });
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

function digestOfFile(file: string): string | undefined {
  try {
    return digestOfBytes(readFileSync(file));
  } catch (error) {
    if (problemOf(error) === "missing") return undefined;
    throw error;
  }
}
