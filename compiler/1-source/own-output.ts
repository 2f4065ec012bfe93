import { bearsHeader, HEADER_WITHIN } from "../base/bears-header.ts";
import { type FileList, LIST_NAME, newListOf } from "../base/file-list.ts";
import { isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { formatAt, mayHaveBeenOurs } from "../base/keyed-places.ts";
import { ownPlaces } from "../base/own-places.ts";
import { pathOfText } from "../base/path-text.ts";
import { generatedFolders } from "../base/project-layout.ts";
import type { SourceReading } from "./read-shaped.ts";
import type { SourceSettings } from "./types.ts";

/** Which files, and which keys of files that others edit too, this project's own builds wrote. */
export interface OwnOutput {
  isWhole(file: string, text: string): boolean;
  keysOf(file: string): readonly (readonly string[])[];
}

/**
 * The list lies in `out` and is committed, so that it says the same in a fresh clone, where no cache is. Anybody can write it:
 * it is believed of places where a host keeps keys. A key that it names falsely brings nothing, which is less, never more.
 */
export function ownOutput(
  { out, folder }: Pick<SourceSettings, "out" | "folder">,
  { files, hosts }: Pick<SourceReading, "files" | "hosts">,
): OwnOutput {
  let known: FileList | undefined;
  const list = (): FileList => {
    const answer = files.read(`${out}/${LIST_NAME}`);
    return (known ??= newListOf(answer.problem === undefined ? answer.text : ""));
  };
  const isOwnPlace = ownPlaces(hosts);
  return {
    isWhole: (file, text) => {
      if (bearsHeader(text.slice(0, HEADER_WITHIN)) || isOwnPlace(file, folder)) return true;
      if (generatedFolders(folder).some((one) => file.startsWith(`${one}/`))) return true;
      return hosts.some(({ places }) => places?.listed?.test(file)) && list().files.has(file);
    },
    keysOf: (file) => {
      if (formatAt(file, hosts) === undefined) return [];
      return [...(list().keys.get(file) ?? [])].map(pathOfText).filter((at) => mayHaveBeenOurs(file, at, hosts));
    },
  };
}

/** The document without these keys, and whether one of them was there. */
export function withoutKeys(
  value: JsonObject,
  keys: readonly (readonly string[])[],
): { readonly rest: JsonObject; readonly isLess: boolean } {
  const rest = keys.reduce<JsonObject>((left, at) => withoutKey(left, at), value);
  return { rest, isLess: rest !== value };
}

function withoutKey(value: JsonObject, [key, ...more]: readonly string[]): JsonObject {
  if (key === undefined || !Object.hasOwn(value, key)) return value;
  const inner: JsonValue = value[key]!;
  if (more.length === 0) return Object.fromEntries(Object.entries(value).filter(([one]) => one !== key));
  const less = isObject(inner) ? withoutKey(inner, more) : inner;
  return less === inner
    ? value
    : Object.fromEntries(Object.entries(value).map(([one, was]) => [one, one === key ? less : was]));
}
