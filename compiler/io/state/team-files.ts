import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { visible } from "../../base/visible.ts";
import type { FileText } from "../../state/types.ts";
import { openRealPaths } from "../read/real-paths.ts";

/** Files that people and agents write while they are read here: nothing is kept, locked or changed. */
export interface TeamFiles {
  read(file: string): Promise<FileText>;
  /** Another one when the file is another: what it holds, or whether it is there. */
  sign(file: string): string;
}

const LARGEST = 10 * 1024 * 1024;
/** Each is looked at by itself. */
const MOST_LINES = 200_000;
/** Somebody may be writing at this moment. */
const ATTEMPTS = 4;
const PAUSE_MS = 25;

export function openTeamFiles(dir: string): TeamFiles {
  const placeOf = (file: string): { readonly path: string } | { readonly problem: string } => {
    // Anew each time: a link may lead elsewhere by now.
    const real = openRealPaths(dir).real(file);
    if (real.problem === "missing") return { problem: `there is no file \`${visible(file)}\`` };
    if (real.problem !== undefined) return { problem: `\`${visible(file)}\` can't be read` };
    return real.inside ? real : { problem: `\`${visible(file)}\` leads out of the project, and isn't read` };
  };
  return {
    async read(file) {
      const place = placeOf(file);
      if ("problem" in place) return place;
      for (let attempt = 1; ; attempt++) {
        const found = readOnce(place.path);
        if (found === "changing" && attempt < ATTEMPTS) await pause(PAUSE_MS);
        else if (typeof found !== "object") return { problem: `\`${visible(file)}\` ${WHY[found]}` };
        else if (hasMoreLines(found.bytes)) return { problem: `\`${visible(file)}\` ${WHY.long}` };
        else return { text: textOf(found.bytes, file) };
      }
    },
    sign(file) {
      const place = placeOf(file);
      const stats = "problem" in place ? undefined : statSync(place.path, { throwIfNoEntry: false });
      return stats === undefined ? "" : `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    },
  };
}

type Unread = "large" | "no-file" | "unreadable" | "changing";
const WHY: Readonly<Record<Unread | "long", string>> = {
  long: "has more than 200,000 lines, and isn't read",
  large: "is larger than 10 MB, and isn't read",
  "no-file": "is no file",
  unreadable: "can't be read",
  changing: "is being written without a pause: try again",
};

/** A pipe in its place is never waited for, and no more is read than there was room for when it was opened. */
function readOnce(file: string): { readonly bytes: Buffer } | Unread {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch {
    return "unreadable";
  }
  try {
    const before = fstatSync(handle);
    if (!before.isFile()) return "no-file";
    if (before.size > LARGEST) return "large";
    const bytes = Buffer.alloc(before.size);
    let size = 0;
    for (let read = -1; read !== 0 && size < bytes.length; size += read)
      read = readSync(handle, bytes, size, bytes.length - size, size);
    const after = fstatSync(handle);
    const isSame = after.size === before.size && after.mtimeMs === before.mtimeMs && size === before.size;
    return isSame ? { bytes } : "changing";
  } catch {
    return "unreadable";
  } finally {
    closeSync(handle);
  }
}

function hasMoreLines(bytes: Buffer): boolean {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1 && lines <= MOST_LINES; at = bytes.indexOf(10, at + 1)) lines++;
  return lines > MOST_LINES;
}

function textOf(bytes: Buffer, file: string): string {
  const text = bytes.toString("utf8").replace(/^\ufeff/, "");
  return file.endsWith(".json") || !text.includes("\r") ? text : text.replaceAll("\r\n", "\n");
}
