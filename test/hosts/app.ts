import { symlinkSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { runBounded } from "./bounded-process.ts";
import type { Ended } from "./bounded-process.ts";
import type { Place } from "./host.ts";

const HERE = import.meta.dirname;

/**
 * Runs an app of apps/ as a user would have it: it imports what was generated for its host as `harbor/host`, the team as
 * `harbor`, and the SDK from its own node_modules. What it needs to know comes by its environment.
 */
export async function runApp(place: Place, host: string, env: Record<string, string>): Promise<Ended> {
  symlinkSync(path.join(place.packages, "node_modules"), path.join(place.folder, "node_modules"), "dir");
  const out = path.join(place.folder, "src", "mcp");
  const file = path.join(place.folder, "app.mjs");
  await build({
    entryPoints: [path.join(HERE, "apps", `${host}.mjs`)],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    logLevel: "silent",
    alias: { harbor: path.join(out, "index.ts"), "harbor/host": path.join(out, "hosts", `${host}.ts`) },
    // The runtime's own dependencies are this repository's; an app has them installed.
    nodePaths: [path.join(HERE, "..", "..", "node_modules")],
    external: ["@github/*", "@anthropic-ai/*", "@modelcontextprotocol/sdk/*"],
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  });
  return runBounded({ file: process.execPath, args: [file], cwd: place.folder, env, timeoutMs: place.timeoutMs });
}
