import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import { closedIn, isBelow } from "../../base/closed-places.ts";
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
      // With a slash at its end, a link would be asked for what it leads to.
      const whole = path.resolve(dir, file);
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

/** In the catalogue's cases. */
export type Astray =
  | { readonly case: "astray-closed" | "astray-sources"; readonly into: string }
  | { readonly case: "astray-project" };

/**
 * For a place to write at that is somewhere else in truth: below a folder of another program's, or among
 * the sources, where it isn't called so.
 */
export function leadsAstray(
  file: string,
  real: string,
  paths: RealPaths,
  sources: string | undefined,
): Astray | undefined {
  const inProject = (whole: string) =>
    path
      .relative(paths.real("").path ?? paths.dir, whole)
      .split(path.sep)
      .join("/");
  const place = inProject(real);
  const closed = closedIn(place);
  if (closed !== undefined) return { case: "astray-closed", into: closed };
  if (place === "rolecall.yaml") return { case: "astray-project" };
  if (sources === undefined || file.startsWith(`${sources}/`) || file === sources) return undefined;
  const among = paths.real(sources);
  return among.path !== undefined && isBelow(place, inProject(among.path))
    ? { case: "astray-sources", into: sources }
    : undefined;
}

function follow(file: string): { readonly path: string; readonly problem?: never } | { readonly problem: FileProblem } {
  try {
    return { path: realpathSync.native(file) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}
