import { plainPath } from "../base/plain-path.ts";
import { DEFAULTS } from "../base/project-layout.ts";
import type { Project } from "../../schemas/types.ts";
import type { SourceSettings } from "./types.ts";

/** What rolecall.yaml says of the project, paths in one spelling, with our word where it says nothing. */
export function settingsOf({
  project,
  out,
  folder,
  envExample,
  importExtension,
  runtime,
  diff,
}: Project): SourceSettings {
  return {
    name: project,
    out: plainPath(out ?? DEFAULTS.out),
    folder: plainPath(folder ?? DEFAULTS.folder),
    importExtension: importExtension ?? DEFAULTS.importExtension,
    runtime: runtime ?? DEFAULTS.runtime,
    envExample: envExample === undefined ? undefined : plainPath(envExample),
    diff,
  };
}
