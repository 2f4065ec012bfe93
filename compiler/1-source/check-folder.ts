import type { Report } from "../diagnostics/report.ts";
import type { Project } from "../../schemas/types.ts";
import { PROJECT_FILE } from "./project-file.ts";
import type { SourceFiles } from "./types.ts";

export const DEFAULT_FOLDER = "mcp";

/**
 * A folder that isn't there would leave every source out, restrictions included, and a build would remove what came of
 * them. The default one may be missing where rolecall.yaml holds (`own`) what there is.
 */
export function checkFolder({ folder }: Project, own: boolean, files: SourceFiles, report: Report): void {
  if ((folder === undefined && own) || files.read(folder ?? DEFAULT_FOLDER).problem === "directory") return;
  const place = { file: PROJECT_FILE, path: folder === undefined ? [] : ["folder"] };
  report.add("source/no-folder", place, { folder: folder ?? DEFAULT_FOLDER });
}
