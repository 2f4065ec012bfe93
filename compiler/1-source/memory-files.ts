import { sorted } from "../base/order.ts";
import { isPassedBy } from "../base/passed-by.ts";
import type { SourceFiles } from "./types.ts";

/** A project that lies in memory: path to text. For tests, and for whoever has no disk. */
export function memoryFiles(record: Readonly<Record<string, string>>): SourceFiles {
  const files = new Map(Object.entries(record));
  const listed = (wanted: (path: string) => boolean) =>
    sorted(files.keys())
      .filter(wanted)
      .map((path) => ({ path }));
  return {
    read: (path) => {
      const text = files.get(path);
      if (text !== undefined) return { text };
      return { problem: sorted(files.keys()).some((file) => file.startsWith(`${path}/`)) ? "directory" : "missing" };
    },
    list: (folder) => listed((path) => isEntered(path, folder) && SOURCE.test(path)),
    others: (folder) => listed((path) => isEntered(path, folder) && !SOURCE.test(path)),
    match: (glob) => {
      const pattern = globPattern(glob);
      return listed((path) => pattern.test(path));
    },
  };
}

const SOURCE = /\.(?:yaml|yml|json)$/;

function isEntered(path: string, folder: string): boolean {
  const below = path.slice(folder.length + 1);
  return path.startsWith(`${folder}/`) && !below.split("/").slice(0, -1).some(isPassedBy);
}

function globPattern(glob: string): RegExp {
  const segments = glob.replaceAll("\\", "/").replace(/^\.\//, "").split("/");
  const body = segments.map((segment, i) => {
    const last = i === segments.length - 1;
    if (segment === "**")
      return last ? "(?:(?!\\.|node_modules/)[^/]+/)*(?!\\.)[^/]+" : "(?:(?!\\.|node_modules/)[^/]+/)*";
    const text = segment
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", "[^/]*")
      .replaceAll("?", "[^/]");
    return (/^[*?]/.test(segment) ? "(?!\\.)" : "") + text + (last ? "" : "/");
  });
  return new RegExp(`^${body.join("")}$`, "su");
}
