// Rewrites what the cases expect. Read the change before you commit it: node scripts/update-cases.mjs [-t <name>]
import { spawnSync } from "node:child_process";
import path from "node:path";

if (process.env.CI) {
  console.error("Expected files are updated by a person who reads the change, not in CI.");
  process.exit(1);
}
const vitest = path.join(import.meta.dirname, "../node_modules/vitest/vitest.mjs");
const argv = [vitest, "run", "test/cases.test.ts", ...process.argv.slice(2)];
const ended = spawnSync(process.execPath, argv, { stdio: "inherit", env: { ...process.env, UPDATE: "1" } });
process.exit(ended.status ?? 1);
