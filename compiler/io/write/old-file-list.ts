import { conflictParts, withSides } from "../../base/conflict-markers.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { type FileList, isBelow, unitedLists } from "./file-list.ts";

/** As an earlier rolecall wrote its list: in JSON, and with digests. It is read once more, then removed. */
export const OLD_LIST_NAME = "files.json";

/** What files.json of an earlier rolecall names, that of both sides where git left conflicts. Undefined: it isn't ours. */
export function oldListOf(text: string): FileList | undefined {
  const parts = conflictParts(text);
  const texts = parts ? (["ours", "theirs"] as const).map((side) => withSides(parts, () => side)) : [text];
  const lists = texts.flatMap((one) => listOf(one) ?? []);
  return lists.length === 0 ? undefined : unitedLists(lists);
}

function listOf(text: string): FileList | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  const files = isObject(value) && value["format"] === 1 ? namesOf(value["files"]) : undefined;
  if (files === undefined || !isObject(value)) return undefined;
  const keys = own(value, "keys");
  return {
    files: new Set(files.filter(isBelow)),
    keys: new Map(
      (namesOf(keys) ?? []).filter(isBelow).map((file) => [file, new Set(namesOf(own(keys as JsonObject, file)))]),
    ),
  };
}

function namesOf(value: JsonValue | undefined): string[] | undefined {
  return isObject(value) ? Object.keys(value) : undefined;
}
