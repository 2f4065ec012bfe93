import { existsSync, readdirSync, type Dirent } from "node:fs";
import path from "node:path";
import { readPlainText } from "../bytes.ts";

/** What lies in a folder that may be an app's code. All paths absolute, with `/`. */
export interface AppCode {
  readonly configs: readonly string[];
  readonly files: readonly string[];
  /** Code in files that TypeScript doesn't read. */
  readonly others: readonly string[];
}

const CODE = /\.[cm]?[jt]sx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;
const OTHERS = /\.(?:vue|svelte|astro|mdx)$/;
const CONFIGS: ReadonlySet<string> = new Set(["tsconfig.json", "jsconfig.json"]);
const NEVER: ReadonlySet<string> = new Set(["node_modules", "bower_components"]);
const MOST_FOLDERS = 20_000;

/** Below `root`; folders with a dot in front and installed packages aren't looked into, and links aren't followed. */
export function findAppCode(root: string): AppCode {
  const found = { configs: [] as string[], files: [] as string[], others: [] as string[] };
  let left = MOST_FOLDERS;
  const look = (folder: string): void => {
    if (left-- <= 0) return;
    for (const entry of entriesOf(folder)) {
      const { name } = entry;
      const file = `${folder}/${name}`;
      if (entry.isDirectory() && !name.startsWith(".") && !NEVER.has(name)) look(file);
      if (!entry.isFile()) continue;
      if (CONFIGS.has(name)) found.configs.push(file);
      else if (CODE.test(name) && !DECLARATIONS.test(name)) found.files.push(file);
      else if (OTHERS.test(name)) found.others.push(file);
    }
  };
  look(slashed(root));
  return found;
}

/** Anything besides what was generated. */
export function hasAppCode(root: string, out: string): boolean {
  const { files, others } = findAppCode(root);
  return others.length > 0 || files.some((file) => !file.startsWith(`${slashed(out)}/`));
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** The workspace that a project is a package of, or the project itself. */
export function codeRootOf(dir: string): string {
  for (let folder = dir; ; folder = path.dirname(folder)) {
    if (isWorkspace(folder)) return folder;
    if (existsSync(path.join(folder, ".git")) || path.dirname(folder) === folder) return dir;
  }
}

function isWorkspace(folder: string): boolean {
  if (existsSync(path.join(folder, "pnpm-workspace.yaml"))) return true;
  try {
    const text = readPlainText(path.join(folder, "package.json")) ?? "{}";
    const manifest = JSON.parse(text) as { workspaces?: unknown };
    return manifest.workspaces !== undefined;
  } catch {
    return false;
  }
}

export function slashed(file: string): string {
  return file.split(path.sep).join("/");
}
