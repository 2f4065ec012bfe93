import type { JsonObject } from "../../base/json.ts";
import { allFormats } from "./all-formats.ts";
import type { AnyFormat } from "./types.ts";

/**
 * Whose keys these are; of several the one whose file is usually called so, and then those whose shape fits. Where the keys
 * say nothing, as with a misspelt one, the name of the file does. None: nobody's; several: it can't be told.
 */
export function formatsOf(
  value: JsonObject,
  file: string,
  formats: readonly AnyFormat[] = allFormats,
): readonly AnyFormat[] {
  const usual = formats.filter(({ usualFile }) => usualFile?.test(file));
  const known = formats.filter((format) => format.recognises(value));
  if (known.length === 0) return usual.slice(0, 1);
  const sure = known.filter((format) => format.isSure?.(value));
  const both = known.filter((format) => usual.includes(format));
  const found = [sure, both].find(({ length }) => length > 0) ?? known;
  // By keys alone, none is passed by: what one program knows nothing of may be another's restriction.
  const theirs = (format: AnyFormat) => (usual.includes(format) ? ownKeys(value, format) : value);
  const fitting = found.filter((format) => format.schema().safeParse(theirs(format)).success);
  return fitting.length > 0 ? fitting : found;
}

/** What the format is about, without the keys at the top that are the other program's business. */
export function ownKeys(value: JsonObject, { passes }: AnyFormat): JsonObject {
  if (passes === undefined) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !passes(key)));
}
