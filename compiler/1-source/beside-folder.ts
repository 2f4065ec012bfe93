import { isObject } from "../base/json.ts";
import { BLOCKS } from "../base/source-blocks.ts";
import type { Report } from "../diagnostics/report.ts";
import type { ReadDocument, SourceFiles } from "./types.ts";

const NAMES = BLOCKS.flatMap((block) => [`${block}.yaml`, `${block}.yml`]);

/**
 * A file of sources beside the folder of sources is read by nobody. Only files that are called as our blocks are looked at:
 * the folder of a project is full of other programs' YAML.
 */
export function sayBesideFolder(folder: string, files: SourceFiles, read: ReadDocument, report: Report): void {
  for (const file of NAMES) {
    const answer = files.read(file);
    if (answer.problem !== undefined) continue;
    const value = quietly(file, answer.text, read, report);
    const held = isObject(value) ? BLOCKS.filter((block) => Object.hasOwn(value, block)) : [];
    if (held.length === 0) continue;
    const blocks = held.map((block) => `\`${block}\``).join(" and ");
    report.add("source/not-read", { file, path: [held[0]!], at: "key" }, { file, blocks, folder });
  }
}

/** It may be anybody's file: that it can't be read is no mistake of the project's. */
export function quietly(file: string, text: string, read: ReadDocument, report: Report): ReturnType<ReadDocument> {
  return read(file, text, { ...report, add: () => undefined });
}
