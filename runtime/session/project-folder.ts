import { existsSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Where a build wrote the code that makes the team. */
export interface GeneratedPlace {
  /** Of the generated module. Some bundlers leave none. */
  readonly url: string | undefined;
  /** The project's folder, from the module's own. */
  readonly project: string;
}

/**
 * What relative commands, arguments and folders of servers start from, wherever the app was started: the nearest folder
 * above the generated code that has a rolecall.yaml, which holds for bundles within the project too; else the project's
 * folder as the build knew it; else the process's own.
 */
export function projectFolder(generated: GeneratedPlace | undefined): string {
  const folder = folderOf(generated?.url) ?? folderOf(import.meta.url);
  const found = folder === undefined ? undefined : nearestProject(folder);
  if (found !== undefined) return found;
  if (folder === undefined || generated?.url === undefined) return process.cwd();
  const asGenerated = resolve(folder, generated.project);
  // A bundle that lies less deep than the code did: no project is a whole disk.
  return asGenerated === parse(asGenerated).root ? process.cwd() : asGenerated;
}

function folderOf(url: string | undefined): string | undefined {
  try {
    return url === undefined ? undefined : dirname(fileURLToPath(url));
  } catch {
    return undefined;
  }
}

function nearestProject(folder: string): string | undefined {
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, "rolecall.yaml"))) return above;
    if (above === dirname(above)) return undefined;
  }
}
