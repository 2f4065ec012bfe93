// Bundles the CLI into dist/: what a command doesn't use lies in files of its own and is never loaded.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "..");
const out = path.join(root, "dist");
rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: { cli: path.join(root, "compiler/cli/bin.ts") },
  outdir: out,
  bundle: true,
  splitting: true,
  chunkNames: "parts/[name]-[hash]",
  format: "esm",
  // Not "node": that would choose the CommonJS builds of packages, which a module can't load without `require`.
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["import"],
  external: ["node:*"],
  target: "node20.19",
  minify: true,
  define: { BUILD_ID: JSON.stringify(digestOfSources()) },
  legalComments: "none",
  logLevel: "warning",
});

function digestOfSources() {
  const hash = createHash("sha256");
  for (const folder of ["compiler", "runtime", "schemas"]) {
    const files = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map((file) => path.join(file.parentPath, file.name));
    for (const name of names.sort()) hash.update(path.relative(root, name)).update(readFileSync(name));
  }
  return hash.digest("hex").slice(0, 12);
}
