import path from "node:path";
import { formatAt } from "../4-artifacts/managed-keys/places.ts";
import type { OwnedKeys } from "../4-artifacts/managed-keys/types.ts";
import { isObject, own, type JsonObject } from "../base/json.ts";
import { sorted } from "../base/order.ts";
import { readPlainText } from "./bytes.ts";

/** `<out>/files.json`: what the last build wrote, with digests. It says whether a file without room for a header is ours. */
export type FileList = ReadonlyMap<string, string>;
/** Its second part: the keys that the last build put into files of the user's. */
export type KeyList = ReadonlyMap<string, OwnedKeys>;

export const LIST_NAME = "files.json";

/** `broken`: it is there and can't be understood. `foreign`: it is JSON, and somebody else's. */
export function readFileList(
  dir: string,
  file: string,
): { readonly files: FileList; readonly keys: KeyList; readonly fault?: "broken" | "foreign" } {
  const none = { files: new Map(), keys: new Map() };
  const text = readPlainText(path.join(dir, file));
  if (text === undefined) return none;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ...none, fault: "broken" };
  }
  if (!isObject(value) || value["format"] !== 1 || !isObject(value["files"])) return { ...none, fault: "foreign" };
  return { files: new Map(textsOf(value["files"]).filter(([name]) => isBelow(name))), keys: keysOf(value) };
}

export function fileListText(files: FileList, keys: KeyList = new Map()): string {
  const owned = sorted(keys.keys()).map((file) => [file, keys.get(file)!] as const);
  const list = {
    format: 1,
    files: inOrder(files),
    ...(owned.length > 0 && { keys: Object.fromEntries(owned.map(([file, { keys }]) => [file, inOrder(keys)])) }),
  };
  const before = owned.filter(([, { before }]) => before.size > 0);
  const places = Object.fromEntries(before.map(([file, one]) => [file, inOrder(one.before)]));
  return `${JSON.stringify({ ...list, ...(before.length > 0 && { before: places }) }, undefined, 2)}\n`;
}

function inOrder<Value>(values: ReadonlyMap<string, Value>): Record<string, Value> {
  return Object.fromEntries(sorted(values.keys()).map((key) => [key, values.get(key)!]));
}

function keysOf(list: JsonObject): KeyList {
  const keys = entriesOf(own(list, "keys"));
  const before = new Map(entriesOf(own(list, "before")));
  return new Map(
    keys
      .filter(([file]) => isBelow(file))
      .map(([file, digests]) => [
        file,
        {
          keys: new Map(textsOf(digests).filter(([key]) => key !== "" || formatAt(file) === "front-matter")),
          before: new Map(
            entriesOf(before.get(file)).flatMap(([key, was]) => (isSpacing(was) ? [[key, was] as const] : [])),
          ),
        },
      ]),
  );
}

function entriesOf(value: unknown): (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}

function textsOf(value: unknown): (readonly [string, string])[] {
  return entriesOf(value).flatMap(([key, text]) => (typeof text === "string" ? [[key, text] as const] : []));
}

/** Whatever the list says, nothing but an empty object is put back into a file. */
function isSpacing(was: unknown): was is string | null {
  return was === null || (typeof was === "string" && /^(?:\{[ \t\r\n]*\}|[ \t\r\n]*)$/.test(was));
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
