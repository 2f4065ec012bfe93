// Bundles into dist/: cli.js is what every call loads; what a command needs beyond it lies in parts/ and is loaded when
// it is used. cli.js is CommonJS, since the loader of ES modules alone takes longer to start than a build with nothing to do.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "..");
const out = path.join(root, "dist");
const commands = readdirSync(path.join(root, "compiler/cli/commands")).map((file) => path.basename(file, ".ts"));
/** Name of a part, and the module that it is made of. `build` is in cli.js: it is the one that is run on every save. */
const parts = {
  compiling: "compiler/cli/compiling.ts",
  index: "compiler/index.ts",
  ...Object.fromEntries(
    commands.filter((name) => name !== "build").map((name) => [name, `compiler/cli/commands/${name}.ts`]),
  ),
};

const shared = {
  bundle: true,
  target: "node20.19",
  minify: true,
  define: { BUILD_ID: JSON.stringify(digestOfSources()) },
  legalComments: "none",
  logLevel: "warning",
  external: ["node:*"],
};

rmSync(out, { recursive: true, force: true });
await Promise.all([bundleParts(), bundleCli()]);
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, "package.json"), '{ "type": "commonjs" }\n');

function bundleParts() {
  return build({
    ...shared,
    entryPoints: Object.fromEntries(Object.entries(parts).map(([name, file]) => [name, path.join(root, file)])),
    outdir: path.join(out, "parts"),
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    splitting: true,
    format: "esm",
    // Not "node": that would choose the CommonJS builds of packages, which a module can't load without `require`.
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["import"],
  });
}

function bundleCli() {
  return build({
    ...shared,
    entryPoints: { cli: path.join(root, "compiler/cli/bin.ts") },
    outdir: out,
    format: "cjs",
    platform: "node",
    supported: { "dynamic-import": true },
    plugins: [{ name: "parts", setup: (made) => made.onResolve({ filter: /^\./ }, partOf) }],
  });
}

/** An import of a part stays an import. */
function partOf({ path: wanted, resolveDir, kind }) {
  if (kind !== "dynamic-import") return undefined;
  const file = path.relative(root, path.join(resolveDir, wanted)).split(path.sep).join("/");
  const name = Object.keys(parts).find((part) => parts[part] === file);
  return name && { path: `./parts/${name}.mjs`, external: true };
}

function digestOfSources() {
  const hash = createHash("sha256");
  for (const folder of ["compiler", "runtime", "schemas"]) {
    const files = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map((file) => path.join(file.parentPath, file.name));
    for (const name of names.sort()) hash.update(path.relative(root, name)).update(readFileSync(name));
  }
  return hash.digest("hex").slice(0, 12);
}
