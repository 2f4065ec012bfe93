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
