import { isObject, type JsonObject, type JsonValue } from "../../base/json.ts";
import { allFormats } from "./all-formats.ts";
import type { AnyFormat } from "./types.ts";

/** What a file of another system may be: a map, or for formats that say so a list. */
export type ForeignDocument = JsonObject | readonly JsonValue[];

export function isDocument(value: JsonValue): value is ForeignDocument {
  return isObject(value) || Array.isArray(value);
}

/**
 * Whose keys these are; of several the one whose file is usually called so, and then those whose shape fits. Where the keys
 * say nothing, as with a misspelt one, the name of the file does. None: nobody's; several: it can't be told.
 */
export function formatsOf(
  value: ForeignDocument,
  file: string,
  formats: readonly AnyFormat[] = allFormats,
): readonly AnyFormat[] {
  const usual = formats.filter(({ usualFile }) => usualFile?.test(file));
  const known = formats.filter((format) => isIn(format, value));
  if (known.length === 0) return usual.slice(0, 1);
  const sure = known.filter((format) => isObject(value) && format.isSure?.(value));
  const both = known.filter((format) => usual.includes(format));
  // By keys alone, none is passed by: what one program knows nothing of may be another's restriction.
  const theirs = (format: AnyFormat) => (usual.includes(format) ? ownKeys(value, format) : value);
  const fits = (format: AnyFormat) => format.schema().safeParse(theirs(format)).success;
  // What no other format has is also what people carry from one file into another.
  const found = [both.filter(fits), sure, both].find(({ length }) => length > 0) ?? known;
  const fitting = found.filter(fits);
  return fitting.length > 0 ? fitting : found;
}

/** What the format is about, without the keys at the top that are the other program's business. */
export function ownKeys(value: ForeignDocument, { passes }: AnyFormat): ForeignDocument {
  if (passes === undefined || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !passes(key)));
}

function isIn(format: AnyFormat, value: ForeignDocument): boolean {
  return isObject(value) ? format.recognises(value) : format.recognisesList?.(value) === true;
}
