import { pathGlobProblem } from "../../runtime/path-glob.ts";
import { flowText } from "../base/flow-yaml.ts";

/** A glob begins at the root: `./` before it says nothing more. */
export function plainGlob(glob: string): string {
  return glob.replace(/^(?:\.\/+)+(?=[^/])/, "");
}

/** What to write for a glob that can't be one. Nothing that is proposed lets through more than what was written. */
export function globAdvice(glob: string): string {
  const meant = [
    glob.replaceAll("\\", "/"),
    glob.replace(/\/+$/, "/**"),
    glob.replaceAll(/\/{2,}/g, "/"),
    glob.replaceAll(/\*\*(?=[^/*])/g, "**/*"),
    glob.replaceAll("/./", "/"),
  ].map(plainGlob);
  const sound = meant.find((one) => one !== glob && one !== "**" && pathGlobProblem(one) === undefined);
  const example = "write a path relative to the server's `root`, such as `tests/**`";
  return sound === undefined ? example : `write \`glob: ${flowText(sound)}\``;
}
