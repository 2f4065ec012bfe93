import { PROJECT_FILE } from "../base/project-layout.ts";
import type { Diagnostic } from "../diagnostics/types.ts";
import type { Engine } from "./command.ts";

/** What a build would say of secrets in a source that isn't written yet. Such a file would be committed. */
export async function secretsInSource(
  { compile }: Pick<Engine, "compile">,
  { dir, folder, isProject }: { readonly dir: string; readonly folder: string; readonly isProject: boolean },
  text: string,
): Promise<readonly Diagnostic[]> {
  const files = new Map([[`${folder}/not-written-yet.yaml`, text]]);
  if (!isProject) files.set(PROJECT_FILE, "version: 1\nproject: new\n");
  const { diagnostics } = await compile(dir, files);
  return diagnostics.filter(
    ({ code }) => code === "server/written-secret" || code === "server/literal-secret" || code === "source/secret",
  );
}
