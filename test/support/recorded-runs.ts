/** What a process wrote into its record. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** The names of the runs. `.runs` may not be there yet: it comes with the first line. */
export function recordedRuns(dir: string): readonly string[] {
  const folder = path.join(dir, ".runs");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name !== ".gitignore") : [];
}

/** The lines of all runs that stand there whole by now. A run's folder is made before its file. */
export function recordedLines<Line>(dir: string): readonly Line[] {
  return recordedRuns(dir).flatMap((run) => {
    const file = path.join(dir, ".runs", run, "calls.jsonl");
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
    return lines.map((line) => JSON.parse(line) as Line);
  });
}
