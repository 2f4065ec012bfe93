// Runs a TypeScript file on a Node that can't: node scripts/run.mjs <file.ts> [arguments]
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const [file, ...rest] = process.argv.slice(2);
// Beside the file, so that what it finds from its own place is found.
const made = path.join(path.dirname(file), `.${path.basename(file, ".ts")}.${process.pid}.mjs`);
try {
  await build({
    entryPoints: [file],
    outfile: made,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "warning",
  });
  process.exitCode = spawnSync(process.execPath, [made, ...rest], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(made, { force: true });
}
