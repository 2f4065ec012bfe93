import { existsSync, readFileSync } from "node:fs";
import type { Resources } from "../4-artifacts/targets.ts";

const RUNTIME = ["contract.ts", "conditions.ts", "path-glob.ts", "canonical.ts"];

/** The texts that lie in the package beside its code. */
export function readResources(): Resources {
  const root = packageRoot();
  return { runtime: RUNTIME.map((name) => ({ name, text: readFileSync(new URL(`runtime/${name}`, root), "utf8") })) };
}

/** Bundled or not, this file lies some folders below the package. */
function packageRoot(): URL {
  let at = new URL("./", import.meta.url);
  while (!existsSync(new URL("runtime/contract.ts", at)) && at.pathname !== "/") at = new URL("../", at);
  return at;
}
