import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import { problemOf } from "./file-problem.ts";
import type { FileProblem } from "../../1-source/types.ts";

/** Where a path of the project really leads. */
export type RealPath =
  | { readonly path: string; readonly inside: boolean; readonly problem?: never }
  | { readonly problem: FileProblem; readonly path?: never };

export interface RealPaths {
  /** The project's folder, absolute. */
  readonly dir: string;
  real(file: string): RealPath;
}

export function openRealPaths(project: string): RealPaths {
  const dir = path.resolve(project);
  const root = follow(dir);
  const folders = new Map<string, RealPath>();
  const isInside = (real: string) =>
    root.problem === undefined &&
    (real === root.path || real.startsWith(root.path.endsWith(path.sep) ? root.path : root.path + path.sep));
  const check = (real: ReturnType<typeof follow>): RealPath =>
    real.problem === undefined ? { path: real.path, inside: isInside(real.path) } : real;
  const folderOf = (folder: string): RealPath => {
    const known = folders.get(folder);
    if (known) return known;
    const answer = check(follow(folder));
    folders.set(folder, answer);
    return answer;
  };
  return {
    dir,
    real: (file) => {
      const whole = path.join(dir, file);
      if (file.includes("\0")) return { problem: "missing" };
      if (whole === dir) return folderOf(dir);
      const folder = folderOf(path.dirname(whole));
      if (folder.problem !== undefined) return folder;
      // Most files are no links: one cheap question instead of resolving the whole way each time.
      try {
        if (!lstatSync(whole).isSymbolicLink()) return check({ path: path.join(folder.path, path.basename(whole)) });
      } catch (error) {
        return { problem: problemOf(error) };
      }
      return check(follow(whole));
    },
  };
}

function follow(file: string): { readonly path: string; readonly problem?: never } | { readonly problem: FileProblem } {
  try {
    return { path: realpathSync.native(file) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}
