import path from "node:path";
import { writeRuntime } from "../../scripts/flatten-runtime.mjs";
import { ROOT } from "./root.ts";

export function setup(): void {
  writeRuntime(ROOT, path.join(ROOT, "dist", "runtime"));
}
