import { pathGlobProblem } from "../../runtime/path-glob.ts";
import { flowText } from "../base/flow-yaml.ts";

/** A glob begins at the root: `./` before it says nothing more. */
export function plainGlob(glob: string): string {
  return glob.replace(/^(?:\.\/+)+(?=[^/])/, "");
}

/** Folders of a whole disk: what stands behind one of these isn't meant to begin at the server's root. */
const OF_A_DISK =
  /^\/+(?:applications|bin|boot|dev|etc|home|lib|library|media|mnt|opt|private|proc|root|run|sbin|srv|sys|system|tmp|users|usr|var|volumes|windows)(?:\/|$)/i;

/** `/docs/**` of somebody for whom the root is the project's. */
function fromRoot(glob: string): string {
  return OF_A_DISK.test(glob) ? glob : glob.replace(/^\/+/, "");
}

/** What to write for a glob that can't be one. Nothing that is proposed lets through more than what was written. */
export function globAdvice(glob: string): string {
  const meant = [
    glob.replaceAll("\\", "/"),
    glob.replace(/(?<!\/)\/+$/, "/**"),
    glob.replaceAll(/\/{2,}/g, "/"),
    glob.replaceAll(/\*\*(?=[^/*])/g, "**/*"),
    glob.replaceAll("/./", "/"),
  ].map((one) => fromRoot(plainGlob(one)));
  const sound = meant.find((one) => one !== glob && one !== "**" && pathGlobProblem(one) === undefined);
  const example = "write a path relative to the server's `root`, such as `tests/**`";
  return sound === undefined ? example : `write \`glob: ${flowText(sound)}\``;
}
