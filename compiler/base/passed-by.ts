/** Folders in which nobody looks for sources. */
export function isPassedBy(folder: string): boolean {
  return folder === "node_modules" || folder.startsWith(".");
}
