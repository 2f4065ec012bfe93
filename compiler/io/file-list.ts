import path from "node:path";
import { isObject } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { readPlainText } from "./bytes.ts";

/** `<out>/files.json`: what the last build wrote, with digests. It says whether a file without room for a header is ours. */
export type FileList = ReadonlyMap<string, string>;

export const LIST_NAME = "files.json";

/** `broken`: it is there and can't be understood. `foreign`: it is JSON, and somebody else's. */
export function readFileList(
  dir: string,
  file: string,
): { readonly files: FileList; readonly fault?: "broken" | "foreign" } {
  const none: FileList = new Map();
  const text = readPlainText(path.join(dir, file));
  if (text === undefined) return { files: none };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { files: none, fault: "broken" };
  }
  if (!isObject(value) || value["format"] !== 1 || !isObject(value["files"])) return { files: none, fault: "foreign" };
  const entries = Object.entries(value["files"]).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && isBelow(entry[0]),
  );
  return { files: new Map(entries) };
}

export function fileListText(files: FileList): string {
  const lines = sorted(files.keys()).map((file) => `    ${JSON.stringify(file)}: ${JSON.stringify(files.get(file))}`);
  return `{\n  "format": 1,\n  "files": {${lines.length === 0 ? "" : `\n${lines.join(",\n")}\n  `}}\n}\n`;
}

/** The list is a file like any other: a name in it never leads out of the project, nor to what isn't output. */
function isBelow(file: string): boolean {
  if (file === "" || /[\0\\:]/.test(file) || path.posix.isAbsolute(file)) return false;
  return file
    .split("/")
    .every(
      (name) =>
        name !== "" &&
        name !== "." &&
        name !== ".." &&
        name !== ".git" &&
        name !== "node_modules" &&
        name !== ".rolecall",
    );
}
