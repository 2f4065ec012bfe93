import { PROJECT_FILE } from "../base/project-layout.ts";
import type { SourceFiles } from "./types.ts";

/** A file that was meant to be the project's, by its name. */
export function otherProjectFile(files: SourceFiles): string | undefined {
  const named = [...files.match("*"), ...files.match(".*")].map(({ path }) => path);
  return named.find(
    (name) =>
      name !== PROJECT_FILE && /^\.?role[-_]?call(?:\.config)?(?:\.ya?ml|\.json)?(?:\.ya?ml|\.txt)?$/i.test(name),
  );
}
