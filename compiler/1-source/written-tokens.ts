import { decodedTexts } from "../../runtime/decoded-text.ts";
import type { JsonValue } from "../base/json.ts";
import type { KeyPath, Place } from "../base/place.ts";
import { issuedTokens } from "../base/secret-patterns.ts";
import { prepareText } from "./document/text.ts";
import type { WrittenToken } from "./types.ts";

/** In the whole file: a token in a comment is as public as any other. */
export function writtenTokens(file: string, raw: string): WrittenToken[] {
  const text = prepareText(raw);
  const plain = Array.from(issuedTokens(text), ({ token, at }): WrittenToken => {
    return { token, at: { file, path: [], range: [at, at + token.split("\n", 1)[0]!.length] } };
  });
  return [...plain, ...tokensInAddresses(file, text)];
}

const HINTS_PERCENT = /%[0-9a-f]{2}/i;
const ADDRESS_WORD = /[^\s"'`<>]+/g;

/** A server takes the escapes of an address off. */
function tokensInAddresses(file: string, text: string): WrittenToken[] {
  if (!HINTS_PERCENT.test(text)) return [];
  const words = [...text.matchAll(ADDRESS_WORD)].filter(([word]) => HINTS_PERCENT.test(word));
  return words.flatMap(({ 0: word, index }) => {
    const found = new Map<string, WrittenToken>();
    for (const layer of decodedTexts(word))
      for (const { token, at } of issuedTokens(layer.text)) {
        if (found.has(token) || word.includes(token)) continue;
        const [from, to] = layer.source(at, at + token.length);
        const range = [index + from, index + to] as const;
        found.set(token, { token, at: { file, path: [], range, hide: word.slice(from, to) } });
      }
    return [...found.values()];
  });
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
