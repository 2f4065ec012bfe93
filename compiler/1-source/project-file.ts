import { plainPath } from "../base/plain-path.ts";
import type { Project } from "../../schemas/types.ts";
import type { SourceFiles } from "./types.ts";

export const PROJECT_FILE = "rolecall.yaml";

export function withPlainPaths(project: Project): Project {
  const { out, folder, envExample } = project;
  return {
    ...project,
    ...(out !== undefined && { out: plainPath(out) }),
    ...(folder !== undefined && { folder: plainPath(folder) }),
    ...(envExample !== undefined && { envExample: plainPath(envExample) }),
  };
}

/** A file that was meant to be the project's, by its name. */
export function otherProjectFile(files: SourceFiles): string | undefined {
  const named = [...files.match("*"), ...files.match(".*")].map(({ path }) => path);
  return named.find(
    (name) =>
      name !== PROJECT_FILE && /^\.?role[-_]?call(?:\.config)?(?:\.ya?ml|\.json)?(?:\.ya?ml|\.txt)?$/i.test(name),
  );
}
