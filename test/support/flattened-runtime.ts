import path from "node:path";
import { writeRuntime } from "../../scripts/flatten-runtime.mjs";

const ROOT = path.join(import.meta.dirname, "..", "..");

export function setup(): void {
  writeRuntime(ROOT, path.join(ROOT, "dist", "runtime"));
}
