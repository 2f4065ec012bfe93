import { boundedTo, visible } from "../../base/visible.ts";
import { appendFileSync, renameSync, statSync } from "node:fs";

const LARGEST = 1_000_000;
/** A line may hold what a client says, as long as it likes. */
const LONGEST = 2_000;

/**
 * What a daemon says when nobody sits before it, a line each, in which nothing hides or steers a terminal. One older file
 * is kept; a log that can't be written stops nothing.
 */
export function openLog(file: string): (line: string) => void {
  return (line) => {
    try {
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) renameSync(file, `${file}.1`);
      appendFileSync(file, `${new Date().toISOString()} ${visible(boundedTo(LONGEST, line))}\n`, { mode: 0o600 });
    } catch {
      // Nobody would read it.
    }
  };
}
