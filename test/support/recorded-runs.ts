import { readdirSync } from "node:fs";
import path from "node:path";

/** The runs that a project has records of, by the names of their folders. */
export function recordedRuns(dir: string): readonly string[] {
  return readdirSync(path.join(dir, ".runs")).filter((name) => name !== ".gitignore");
}
