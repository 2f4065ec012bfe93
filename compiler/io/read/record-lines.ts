import { open, type FileHandle } from "node:fs/promises";

/** Reads records of calls line by line: of any size, in bounded memory, while an app goes on writing them. */
export interface RecordPart {
  /** As given, with `.1` and so on for what was moved. */
  readonly name: string;
  /** Some lines at a time; undefined stands for one that is too long to be one. */
  lines(): AsyncGenerator<readonly (string | undefined)[]>;
}

const CHUNK = 1024 * 1024;
const LONGEST = 16 * CHUNK;
const MOST_PARTS = 100;
const LINE_END = 10;

/** `-`. */
export function standardInput(): RecordPart {
  return { name: "-", lines: () => splitLines(process.stdin) };
}

/**
 * A record and what was moved out of its way, oldest first. All are opened at once, the newest first: whoever moves them
 * meanwhile takes none away, and the one that is met twice is read once. Throws what the system says of the record itself.
 */
export async function openRecord(file: string, name: string, known: Set<string>): Promise<readonly RecordPart[]> {
  const parts: RecordPart[] = [];
  for (let age = 0; age <= MOST_PARTS; age++) {
    const end = age === 0 ? "" : `.${age}`;
    const handle = age === 0 ? await open(file) : await open(file + end).catch(() => undefined);
    if (handle === undefined) break;
    if (await isNew(handle, known)) parts.unshift(partOf(handle, name + end));
    else await handle.close();
  }
  return parts;
}

async function isNew(handle: FileHandle, known: Set<string>): Promise<boolean> {
  const { dev, ino, isFile } = await identityOf(handle);
  const identity = `${dev} ${ino}`;
  // Pipes and devices may be read, and have no identity that counts.
  if (!isFile) return true;
  if (known.has(identity)) return false;
  known.add(identity);
  return true;
}

async function identityOf(handle: FileHandle): Promise<{ dev: bigint; ino: bigint; isFile: boolean }> {
  const stats = await handle.stat({ bigint: true });
  if (stats.isDirectory()) {
    await handle.close();
    throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  }
  return { dev: stats.dev, ino: stats.ino, isFile: stats.isFile() };
}

function partOf(handle: FileHandle, name: string): RecordPart {
  return { name, lines: () => splitLines(handle.createReadStream({ highWaterMark: CHUNK })) };
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly (string | undefined)[]> {
  let begun: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_END);
    if (end < 0) {
      size += chunk.length;
      // The rest of such a line is read and forgotten.
      if (size <= LONGEST) begun.push(chunk);
      else begun = [];
      continue;
    }
    if (size > LONGEST) {
      const first = chunk.indexOf(LINE_END);
      yield first === end ? [undefined] : [undefined, ...textOf([chunk.subarray(first + 1, end)])];
    } else yield textOf([...begun, chunk.subarray(0, end)]);
    begun = [chunk.subarray(end + 1)];
    size = begun[0]!.length;
  }
  if (size > 0) yield size > LONGEST ? [undefined] : textOf(begun);
}

function textOf(buffers: readonly Buffer[]): string[] {
  return Buffer.concat(buffers).toString("utf8").split("\n");
}
