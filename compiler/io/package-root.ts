import { existsSync } from "node:fs";

/** Bundled or not, this file lies some folders below the package. */
export function packageRoot(): URL {
  let at = new URL("./", import.meta.url);
  while (!existsSync(new URL("schemas/json/project.json", at)) && at.pathname !== "/") at = new URL("../", at);
  return at;
}
