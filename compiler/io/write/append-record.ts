import { appendFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../../base/json.ts";

/** Appends lines to a record of calls, in one write: lines of several processes don't mix. Gives what went wrong. */
export function appendRecord(file: string, lines: readonly JsonObject[]): string | undefined {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return undefined;
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code ?? "it can't be written";
  }
}
