import { existsSync, readFileSync, readdirSync } from "node:fs";
import type { JsonObject } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import type { Resources } from "../4-artifacts/targets.ts";

/** The texts that lie in the package beside its code. Each is read when it is asked for: most builds need none of them. */
export function readResources(): Resources {
  const root = packageRoot();
  const schema = (name: string): JsonObject =>
    JSON.parse(readFileSync(new URL(`schemas/json/${name}.json`, root), "utf8")) as JsonObject;
  const files = runtimeFiles(root).map((name) => ({
    name,
    get text() {
      return readFileSync(new URL(`runtime/${name}`, root), "utf8");
    },
  }));
  return {
    runtime: files.filter(({ name }) => !name.startsWith("hosts/")),
    hosts: files.filter(({ name }) => name.startsWith("hosts/")),
    schemas: {
      get project() {
        return schema("project");
      },
      get source() {
        return schema("source");
      },
      get preset() {
        return schema("preset");
      },
    },
  };
}

/** All of it: a project's output has its own copy. Sorted, with `/`. */
function runtimeFiles(root: URL): string[] {
  const found = readdirSync(new URL("runtime/", root), { recursive: true, encoding: "utf8" });
  return sorted(found.filter((name) => name.endsWith(".ts")).map((name) => name.replaceAll("\\", "/")));
}

/** Bundled or not, this file lies some folders below the package. */
function packageRoot(): URL {
  let at = new URL("./", import.meta.url);
  while (!existsSync(new URL("runtime/contract.ts", at)) && at.pathname !== "/") at = new URL("../", at);
  return at;
}
