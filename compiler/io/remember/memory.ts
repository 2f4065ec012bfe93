import path from "node:path";
import type { JsonValue } from "../../base/json.ts";
import type { ExaminedManifest } from "../../1-source/types.ts";
import { makeWorkFolder, readOwnNote, WORK_FOLDER, writeOwnNote } from "./work-folder.ts";

/**
 * Answers that depend on nothing but a key: for the digest of a file's bytes, what was found out about them. Kept from
 * one build to the next; an answer that no build asked for is forgotten. Losing it costs time and nothing else.
 */
export interface Memory<Answer> {
  recall(key: string): Answer | undefined;
  remember(key: string, answer: Answer): void;
  /** Fails in silence. */
  save(): void;
}

/** What was found out about the files that a build reads, by name and digest of the file. */
export function openMemories(
  dir: string,
  toolVersion: string,
): { readonly manifests: Memory<ExaminedManifest>; readonly documents: Memory<JsonValue> } {
  return {
    manifests: openMemory(dir, "manifests", toolVersion),
    documents: openMemory(dir, "documents", toolVersion),
  };
}

export function openMemory<Answer>(dir: string, name: string, toolVersion: string): Memory<Answer> {
  const old = readMemory<Answer>(dir, name, toolVersion);
  const used = new Map<string, Answer>();
  let changed = false;
  return {
    recall: (key) => {
      const answer = old.get(key);
      if (answer !== undefined) used.set(key, answer);
      return answer;
    },
    remember: (key, answer) => {
      changed = true;
      used.set(key, answer);
    },
    save: () => {
      if (!changed && used.size === old.size) return;
      try {
        writeOwnNote(path.join(makeWorkFolder(dir), name), () => JSON.stringify([toolVersion, [...used]]));
      } catch {
        return;
      }
    },
  };
}

function readMemory<Answer>(dir: string, name: string, toolVersion: string): Map<string, Answer> {
  const note = readOwnNote(path.join(dir, WORK_FOLDER, name));
  if (note === undefined) return new Map();
  try {
    const [tool, entries] = JSON.parse(note) as [string, [string, Answer][]];
    return tool === toolVersion ? new Map(entries) : new Map();
  } catch {
    return new Map();
  }
}
