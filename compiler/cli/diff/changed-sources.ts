import { generatedFolders, PROJECT_FILE } from "../../base/project-layout.ts";
import { sorted } from "../../base/order.ts";
import type { SourceFiles } from "../../1-source/types.ts";

/** Sources of which one side has another text than the other, sorted. */
export function changedSources(before: SourceFiles | undefined, now: SourceFiles, folder: string): string[] {
  if (before === undefined) return [];
  const made = generatedFolders(folder).map((one) => `${one}/`);
  const listed = [before, now]
    .flatMap((files) => files.list(folder))
    .flatMap(({ path }) => (made.some((one) => path.startsWith(one)) ? [] : path));
  const textOf = (files: SourceFiles, path: string): string | undefined => {
    const found = files.read(path);
    return "text" in found ? found.text : undefined;
  };
  return sorted(new Set([PROJECT_FILE, ...listed])).filter((path) => textOf(before, path) !== textOf(now, path));
}
