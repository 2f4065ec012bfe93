// Bundles into dist/: cli.js is what every call loads; what a command needs beyond it lies in parts/ and is loaded when
// it is used. All of that is CommonJS, since the loader of ES modules alone takes longer than a build with nothing to
// do. index.mjs is the door for programs, testing.mjs the one for their tests. runtime/ holds the runtime as projects get it, of which tsconfig.runtime.json
// makes what `runtime: package` imports.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { writeRuntime } from "./flatten-runtime.mjs";

const root = path.join(import.meta.dirname, "..");
const out = path.join(root, "dist");
const commands = readdirSync(path.join(root, "compiler/cli"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/**
 * Name of a part, and the module that it is made of. `build` is in cli.js: it is the one that is run on every save. Each
 * has a copy of its own of what it imports: an error of one isn't an instance of another's class.
 */
const parts = {
  compiling: "compiler/cli/compiling.ts",
  comparing: "compiler/cli/diff/compiled.ts",
  restoring: "compiler/io/write/restore-outputs.ts",
  serving: "compiler/cli/serve/daemon.ts",
  "serving-role": "compiler/cli/serve/shim.ts",
  "serving-accepted": "compiler/cli/serve/accept.ts",
  "serving-http": "compiler/cli/serve/open-http.ts",
  "serving-several": "compiler/cli/serve/several.ts",
  "serving-decisions": "compiler/cli/serve/decide.ts",
  "reading-built": "compiler/cli/serve/built.ts",
  "judging-built": "compiler/cli/serve/judged.ts",
  ...Object.fromEntries(
    commands.filter((name) => name !== "build").map((name) => [name, `compiler/cli/${name}/command.ts`]),
  ),
};

/** As compiler/io/libraries.ts asks for them. */
const packages = {
  yaml: "yaml",
  "jsonc-parser": "jsonc-parser",
  ajv: "ajv",
  "ajv-2019": "ajv/dist/2019.js",
  "ajv-2020": "ajv/dist/2020.js",
  "zod-to-json-schema": "zod-to-json-schema",
  jose: "jose",
  "mcp-server": "mcp-server",
};

/** What is used of the protocol's server: the rest is left out. */
const SERVER = `
export { Server, ProtocolError, createRequestStateCodec, createMcpHandler, isSpecType } from "@modelcontextprotocol/server";
export { serveStdio } from "@modelcontextprotocol/server/stdio";
`;
/** Its own is for what a client fills in, which nobody here asks of one: a third of its bytes. */
const NO_VALIDATOR = `
export class DefaultJsonSchemaValidator { getValidator() { throw new Error("nothing is asked of a client"); } }
export const { process } = globalThis;
`;

const shared = {
  bundle: true,
  target: "node20.19",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  external: ["node:*", "@modelcontextprotocol/*", "@napi-rs/keyring"],
  // Not "node": that would choose the CommonJS builds of packages, from which nothing that isn't used can be left out.
  platform: "neutral",
  mainFields: ["module", "main"],
  conditions: ["import"],
};
const BUILD_ID = JSON.stringify(digestOfSources());
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
/** A package that is replaced while a process runs has other parts by the same names: these it doesn't load. */
const OF_ONE_BUILD = `if((globalThis[Symbol.for("rolecall.build")]??=${BUILD_ID})!==${BUILD_ID})throw new Error("rolecall was replaced by another version of it while this process ran: start it again");`;
/** Of package.json no part needs more. */
const versionAlone = {
  name: "version",
  setup: (made) =>
    made.onLoad({ filter: /package\.json$/ }, (one) =>
      one.path === path.join(root, "package.json")
        ? { contents: JSON.stringify({ version }), loader: "json" }
        : undefined,
    ),
};

// The declarations in dist/types are the compiler's: they stay.
for (const made of ["parts", "packages", "doors", "cli.js", "index.mjs", "testing.mjs", "package.json"])
  rmSync(path.join(out, made), { recursive: true, force: true });
await Promise.all([bundleCommands(), bundleDoors(), bundlePackages()]);
writeFileSync(path.join(out, "package.json"), '{ "type": "commonjs" }\n');
writeRuntime(root, path.join(out, "runtime"));
writeFileSync(path.join(out, "runtime/package.json"), '{ "type": "module" }\n');

function bundleCommands() {
  const entries = Object.entries({ cli: "compiler/cli/bin.ts" }).concat(
    Object.entries(parts).map(([name, file]) => [`parts/${name}`, file]),
  );
  return build({
    ...shared,
    entryPoints: Object.fromEntries(entries.map(([name, file]) => [name, path.join(root, file)])),
    outdir: out,
    format: "cjs",
    define: { BUILD_ID, "import.meta.url": "moduleUrl" },
    banner: { js: `const moduleUrl=require("node:url").pathToFileURL(__filename).href;${OF_ONE_BUILD}` },
    // `import()` becomes `require`.
    supported: { "dynamic-import": false },
    plugins: [versionAlone, { name: "parts", setup: (made) => made.onResolve({ filter: /^\./ }, partOf) }],
  });
}

/** What both doors need is there once. */
function bundleDoors() {
  return build({
    ...shared,
    entryPoints: {
      index: path.join(root, "compiler/index.ts"),
      testing: path.join(root, "compiler/testing/fake-server.ts"),
    },
    outdir: out,
    outExtension: { ".js": ".mjs" },
    format: "esm",
    splitting: true,
    plugins: [versionAlone],
    chunkNames: "doors/[hash]",
    define: { BUILD_ID },
  });
}

/** Packages that are loaded when they are first needed, so that nobody who installs rolecall installs them as well. */
function bundlePackages() {
  return build({
    ...shared,
    external: ["node:*"],
    entryPoints: packages,
    outdir: path.join(out, "packages"),
    format: "cjs",
    plugins: [{ name: "made", setup: made }],
  });
}

/** What stands under a name that is no file. */
function made(building) {
  const contents = { "mcp-server": SERVER, "@modelcontextprotocol/server/_shims": NO_VALIDATOR };
  building.onResolve({ filter: /^mcp-server$|^@modelcontextprotocol\/server\/_shims$/ }, ({ path: name }) => ({
    path: name,
    namespace: "made",
  }));
  building.onLoad({ filter: /./, namespace: "made" }, ({ path: name }) => ({
    contents: contents[name],
    resolveDir: root,
  }));
}

/** An import of a part stays an import: from cli.js, or from another part beside it. */
function partOf({ path: wanted, resolveDir, kind }) {
  if (kind !== "dynamic-import") return undefined;
  const file = path.relative(root, path.join(resolveDir, wanted)).split(path.sep).join("/");
  const name = Object.keys(parts).find((part) => parts[part] === file);
  const isInPart = commands.some((one) => one !== "build" && resolveDir === path.join(root, "compiler/cli", one));
  return name && { path: isInPart ? `./${name}.js` : `./parts/${name}.js`, external: true };
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
