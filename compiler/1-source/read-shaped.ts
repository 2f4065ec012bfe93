import type { HostData } from "../base/host-data.ts";
import type { JsonValue } from "../base/json.ts";
import type { Report } from "../diagnostics/report.ts";
import { blocks, guard, preset, project } from "../../schemas/project.ts";
import { checkShape } from "./shape.ts";
import type { ListedFile, Memories, ReadDocument, SourceFiles, WrittenToken } from "./types.ts";
import { escapedTokens, writtenTokens } from "./written-tokens.ts";

/** In `broken`: a whole document couldn't be read, so any name may have been declared there. */
export const ANYTHING = "*";

/** What the readers of this room hand each other while a project is read. */
export interface SourceReading {
  readonly hosts: readonly HostData[];
  readonly files: SourceFiles;
  readonly read: ReadDocument;
  readonly memory: Memories | undefined;
  readonly report: Report;
  /** As `Sources.broken`. */
  readonly broken: Set<string>;
  /** Documents that were held against a schema, whatever came of it. */
  readonly looked: Set<string>;
  readonly tokens: WrittenToken[];
}

/** `sayMissing` is called in place of an error, for a file that may not be there. */
export function readValue(
  file: ListedFile,
  { files, read, report, tokens }: SourceReading,
  sayMissing?: () => void,
): JsonValue | undefined {
  const answer = file.problem ? { problem: file.problem } : files.read(file.path);
  if (answer.problem === undefined) {
    for (const token of writtenTokens(file.path, answer.text)) tokens.push(token);
    const value = read(file.path, answer.text, report);
    for (const token of escapedTokens(file.path, answer.text, () => value)) tokens.push(token);
    return value;
  }
  if (sayMissing && answer.problem === "missing") sayMissing();
  else report.add("source/unreadable", undefined, { file: file.path, case: answer.problem });
  return undefined;
}

export interface Shaped {
  readonly value: JsonValue;
  /** Paths of what isn't as the schema says. */
  readonly faults: readonly (readonly (string | number)[])[];
}

const schemas = { project, blocks, guard, preset };

/** A document held against its schema; undefined when it can't be read. One with nothing to say about isn't read again. */
export function readShaped(
  file: ListedFile,
  as: keyof typeof schemas,
  reading: SourceReading,
  sayMissing?: () => void,
): Shaped | undefined {
  const { files, report } = reading;
  reading.looked.add(file.path);
  const documents = reading.memory?.documents;
  const key = (digest: string | undefined) => (digest === undefined ? undefined : `${as} ${file.path} ${digest}`);
  const before = documents && file.problem === undefined ? key(files.digestOf?.(file.path)) : undefined;
  const known = before === undefined ? undefined : documents?.recall(before);
  if (known !== undefined) return { value: known, faults: [] };
  const said = report.count + reading.tokens.length;
  const value = readValue(file, reading, sayMissing);
  if (value === undefined) return undefined;
  const faults = checkShape(schemas[as], value, { file: file.path, path: [] }, report);
  const now = key(files.digestOf?.(file.path));
  if (now !== undefined && report.count + reading.tokens.length === said) documents?.remember(now, value);
  return { value, faults };
}
