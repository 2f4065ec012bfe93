import { nearest } from "../base/nearest.ts";
import { plainPath } from "../base/plain-path.ts";
import type { Report } from "../diagnostics/report.ts";
import type { SourceDocument, SourceFiles } from "./types.ts";

/** Shorter names are near to too many others. */
const SHORTEST = 4;

/**
 * `root: note` beside a folder `notes`: each path of a condition would begin somewhere else. A folder that isn't there and
 * is like no other may come yet, or a clone lacks it: of that nothing is said.
 */
export function checkRoots(documents: readonly SourceDocument[], files: SourceFiles, report: Report): void {
  for (const { file, blocks, origins } of documents)
    for (const [server, { root }] of Object.entries(origins === undefined ? (blocks.servers ?? {}) : {})) {
      const folder = typeof root === "string" && isPlain(root) ? plainPath(root) : "";
      const meant = folder.length < SHORTEST ? undefined : meantBy(folder, files);
      if (meant === undefined) continue;
      report.add(
        "server/no-root",
        { file, path: ["servers", server, "root"] },
        { server, root: folder, nearest: meant },
      );
    }
}

/** Below the project's folder, and the same on every machine. */
function isPlain(root: string): boolean {
  return !/^[/\\~]|^[A-Za-z]:|\$/.test(root) && !root.split("/").includes("..");
}

/** Only in its own folder is it looked for. Undefined: it is there, or none is near. */
function meantBy(root: string, files: SourceFiles): string | undefined {
  if (files.read(root).problem !== "missing") return undefined;
  const end = root.lastIndexOf("/");
  const above = end === -1 ? "" : root.slice(0, end);
  const near = nearest(root.slice(end + 1), files.names?.(above) ?? []);
  const meant = near === undefined ? undefined : above === "" ? near : `${above}/${near}`;
  return meant !== undefined && files.read(meant).problem === "directory" ? meant : undefined;
}
