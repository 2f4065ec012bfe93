import { existsSync } from "node:fs";
import path from "node:path";
import { conflictParts, withSides } from "../../base/conflict-markers.ts";
import { isObject, own, type JsonObject, type JsonValue } from "../../base/json.ts";
import { readPlainText } from "../bytes.ts";
import { blobsOf } from "../read/git.ts";
import { type FileList, isBelow, LIST_NAME, newListOf } from "../../base/file-list.ts";
import { unitedLists } from "./file-list.ts";
import type { Refusal } from "./staging.ts";

export interface ListsFound extends FileList {
  /** Lists of an earlier rolecall, which go now. */
  readonly old: readonly string[];
}

/**
 * What the lists in these folders name, today's and that of an earlier rolecall. While git merges, those of both sides
 * count too: where one side dropped a line and the other changed what it named, git keeps the thing and drops the line.
 */
export function readFileLists(dir: string, folders: readonly string[]): ListsFound {
  const lists: FileList[] = [];
  const old: string[] = [];
  for (const folder of folders) {
    const [file, oldFile] = [path.posix.join(folder, LIST_NAME), path.posix.join(folder, OLD_LIST_NAME)];
    for (const text of [readPlainText(path.join(dir, file)), ...sidesOfMerge(dir, file)])
      if (text !== undefined) lists.push(newListOf(text));
    const former = readPlainText(path.join(dir, oldFile));
    const named = former === undefined ? undefined : oldListOf(former);
    if (named === undefined) continue;
    old.push(oldFile);
    lists.push(named);
    for (const text of sidesOfMerge(dir, oldFile)) lists.push(...[oldListOf(text) ?? []].flat());
  }
  return { ...unitedLists(lists), old };
}

/** As an earlier rolecall wrote its list: in JSON, and with digests. It is read once more, then removed. */
const OLD_LIST_NAME = "files.json";

/** What files.json of an earlier rolecall names, that of both sides where git left conflicts. Undefined: it isn't ours. */
function oldListOf(text: string): FileList | undefined {
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

/** What git keeps in its folder while a merge, rebase, cherry-pick or revert waits for somebody: the side that comes. */
const HEADS = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"];

/** The texts of a file on both sides, while git waits in the middle of a merge; else none, and git isn't asked. */
function sidesOfMerge(dir: string, file: string): readonly string[] {
  const gitFolder = gitFolderAbove(path.resolve(dir));
  if (gitFolder === undefined) return [];
  const coming = HEADS.filter((head) => existsSync(path.join(gitFolder, head)));
  if (coming.length === 0) return [];
  const names = ["HEAD", ...coming].map((head) => `${head}:./${file}`);
  const blobs = blobsOf(dir, names);
  // Without them what a side dropped would be nobody's, and stay.
  if (blobs.length < names.length)
    throw Object.assign(new Error("no answer"), { code: "EMERGE", refused: file } satisfies Omit<Refusal, keyof Error>);
  return blobs.flatMap((blob) => blob?.toString("utf8") ?? []);
}

/** For a worktree: the folder that git keeps for that worktree. */
function gitFolderAbove(dir: string): string | undefined {
  const found = path.join(dir, ".git");
  if (existsSync(path.join(found, "HEAD"))) return found;
  const link = /^gitdir: (.+)$/m.exec(readPlainText(found) ?? "")?.[1];
  if (link !== undefined) return path.resolve(dir, link.trimEnd());
  const above = path.dirname(dir);
  return above === dir ? undefined : gitFolderAbove(above);
}
