import type { JsonValue } from "../base/json.ts";
import type { KeyPath, Place } from "../base/place.ts";
import { issuedTokens } from "../base/secret-patterns.ts";
import { prepareText } from "./document/text.ts";
import type { WrittenToken } from "./types.ts";

/** In the whole file: a token in a comment is as public as any other. */
export function writtenTokens(file: string, raw: string): WrittenToken[] {
  const text = prepareText(raw);
  return Array.from(issuedTokens(text), ({ token, at }) => ({
    token,
    at: { file, path: [], range: [at, at + token.split("\n", 1)[0]!.length] },
  }));
}

/** Escapes that letters of a token may be written with: by number, a slash behind a backslash, a line that goes on. */
const HINTS_ESCAPE = /\\(?:[xuU/]|[ \t]*\r?\n)/;

/** Of a document's value, those that no reader of its text sees: they are written with escapes. */
export function escapedTokens(file: string, raw: string, valueOf: () => JsonValue | undefined): WrittenToken[] {
  if (!HINTS_ESCAPE.test(raw)) return [];
  return [...textsIn(valueOf() ?? null, [])].flatMap(([text, path, at]) =>
    Array.from(issuedTokens(text), ({ token }) => ({ token, at: { file, path, ...at } })).filter(
      ({ token }) => !raw.includes(token),
    ),
  );
}

function* textsIn(value: JsonValue, path: KeyPath): Generator<[text: string, path: KeyPath, at?: Pick<Place, "at">]> {
  if (typeof value === "string") yield [value, path];
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    const further = [...path, isList ? Number(key) : key];
    if (!isList) yield [key, further, { at: "key" }];
    yield* textsIn(inner, further);
  }
}
