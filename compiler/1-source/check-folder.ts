import { PROJECT_FILE } from "../base/project-layout.ts";
import type { Report } from "../diagnostics/report.ts";
import type { SourceFiles } from "./types.ts";

/**
 * A folder that isn't there would leave every source out, restrictions included, and a build would remove what came of
 * them. `mayBeMissing`: nothing names it, and rolecall.yaml itself holds what there is. `isNamed`: by `folder:`.
 */
export function checkFolder(
  folder: string,
  { isNamed, mayBeMissing }: { readonly isNamed: boolean; readonly mayBeMissing: boolean },
  files: SourceFiles,
  report: Report,
): void {
  if (mayBeMissing || files.read(folder).problem === "directory") return;
  report.add("source/no-folder", { file: PROJECT_FILE, path: isNamed ? ["folder"] : [] }, { folder });
}
