/** Folders below the folder of sources that hold none. */
const OTHER_FOLDERS = ["manifests", "presets", "hosts", "schema"];

export function isSource(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) && otherFolderOf(path, folder) === undefined;
}

export function otherFolderOf(path: string, folder: string): string | undefined {
  return OTHER_FOLDERS.find((other) => path.startsWith(`${folder}/${other}/`));
}

/** The pin of a file of `manifests`; undefined where it can't be one. */
export function pinOfFile(path: string, folder: string): string | undefined {
  const start = `${folder}/manifests/`;
  const name = path.startsWith(start) ? path.slice(start.length) : "/";
  return name.endsWith(".json") && !name.includes("/") ? name.slice(0, -".json".length) : undefined;
}
