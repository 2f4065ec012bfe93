import { existsSync, readFileSync, readdirSync } from "node:fs";
import type { JsonObject } from "../../base/json.ts";
import { sorted } from "../../base/order.ts";
import type { Resources } from "../../5-artifacts/targets.ts";

/** The texts that lie in the package beside its code. Each is read when it is asked for: most builds need none of them. */
export function readResources(): Resources {
  const root = packageRoot();
  const json = (file: string): JsonObject => JSON.parse(readFileSync(new URL(file, root), "utf8")) as JsonObject;
  const files = runtimeFiles(root).map((name) => ({
    name,
    get text() {
      return readFileSync(new URL(`dist/runtime/${name}.ts`, root), "utf8");
    },
    get version() {
      return String(json("package.json")["version"]);
    },
  }));
  const isOfEvery = (name: string) => EVERY_PROJECT.includes(name);
  return {
    runtime: files.filter(({ name }) => isOfEvery(name)),
    hosts: files.filter(({ name }) => !isOfEvery(name)),
    schemas: {
      get project() {
        return json("schemas/json/project.json");
      },
      get source() {
        return json("schemas/json/source.json");
      },
      get preset() {
        return json("schemas/json/preset.json");
      },
    },
  };
}

const EVERY_PROJECT = ["runtime", "runtime-types", "runtime-connect"];

/** Made of runtime/ when rolecall is bundled (scripts/flatten-runtime.mjs), and before its tests. */
function runtimeFiles(root: URL): string[] {
  const found = readdirSync(new URL("dist/runtime/", root)).filter((name) => name.endsWith(".ts"));
  return sorted(found.map((name) => name.slice(0, -".ts".length)));
}

/** Bundled or not, this file lies some folders below the package. */
function packageRoot(): URL {
  let at = new URL("./", import.meta.url);
  while (!existsSync(new URL("schemas/json/project.json", at)) && at.pathname !== "/") at = new URL("../", at);
  return at;
}
