import { statSync } from "node:fs";
import path from "node:path";
import type { ExistingOutput, Obstacle } from "./existing-output.ts";
import { LARGEST_FILE } from "../bytes.ts";
import { openRealPaths } from "../read/real-paths.ts";

export type UserFile =
  | { readonly file: string; readonly exists: boolean; readonly problem?: never }
  | { readonly problem: Obstacle | { readonly case: "link" | "not-plain" | "too-large" } };

/** A link to the user's file stays a link: what it leads to is changed. */
export function userFile(
  file: string,
  { dir, existing }: { readonly dir: string; readonly existing: Pick<ExistingOutput, "obstacle" | "astray"> },
): UserFile {
  const obstacle = existing.obstacle(path.posix.dirname(file));
  if (obstacle !== undefined) return { problem: obstacle };
  const paths = openRealPaths(dir);
  const real = paths.real(file);
  if (real.problem === "missing") return { file, exists: false };
  if (real.problem !== undefined || !real.inside) return { problem: { case: "link" } };
  const astray = existing.astray(file, real.path);
  if (astray !== undefined) return { problem: { ...astray, folder: file } };
  const stats = statSync(real.path);
  if (!stats.isFile()) return { problem: { case: "not-plain" } };
  if (stats.size > LARGEST_FILE) return { problem: { case: "too-large" } };
  const root = paths.real("").path;
  return { file: path.relative(root ?? dir, real.path), exists: true };
}
