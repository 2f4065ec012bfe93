import { isKey, outOfQuotes, secretParts, toldParts } from "../../runtime/secret-parts.ts";
import { createSecrets } from "../../runtime/secrets.ts";
import { isPath, type ReferenceValue } from "../live-server/reference-values.ts";
import type { ServerFailure } from "../live-server/types.ts";

/** Where the values of variables stand in a manifest: a secret must not be committed, a path of this machine should be seen. */
const TELLING_LENGTH = 6;
/** Of a value that nothing says a secret of: `production` is in many a description. */
const UNSAID_LENGTH = 12;

/** A server that repeats a secret in its answer can't be captured with that secret. */
export function leakFailure(text: string, values: readonly ReferenceValue[]): ServerFailure | undefined {
  const kept = values.map((one) => ({ name: one.name, texts: mustStay(one) }));
  // All at once: an answer may be long, and mostly holds none.
  const isAny = stands(
    kept.flatMap(({ texts }) => texts),
    text,
  );
  const leaked = isAny ? kept.find(({ texts }) => stands(texts, text)) : undefined;
  if (!leaked) return undefined;
  return {
    kind: "refused",
    says: `its answer holds the value of \`${leaked.name}\`, or a part of it, which would end up in your repository`,
    next: "tell the author of the server; where it stands there by chance, or until then, capture with another value",
  };
}

export function machineVariables(text: string, values: readonly ReferenceValue[]): string[] {
  const found = values.filter(({ value }) => value.length >= TELLING_LENGTH && isPath(value));
  const texts = found.map(({ value }) => value);
  if (!stands(texts, text)) return [];
  return [...new Set(found.filter(({ value }) => stands([value], text)).map(({ name }) => name))];
}

/** The value where it is a secret, and the secrets within it. */
function mustStay({ value: given, hidden, secret, cookie }: ReferenceValue): string[] {
  const value = outOfQuotes(given);
  const told = toldParts(value, cookie === true).filter((part) => !NO_VALUE.test(part));
  const guessed = secretParts(value).filter((part) => part !== value && part !== value.trim() && !told.includes(part));
  const isUnsaid = isList(value) || IS_PAIRS.test(value);
  const parts = [...told, ...guessed.filter((part) => !NO_VALUE.test(part) && (!isUnsaid || isKey(part)))];
  const isWhole = secret || isKey(value) || (hidden && value.length >= UNSAID_LENGTH && !isPath(value));
  const holdsSecret = told.length > 0 || (parts.length > 0 && !isList(value));
  return [...(isWhole || holdsSecret ? [value] : []), ...parts].filter((one) => !isWord(one));
}

/** Settings as likely as a cookie. */
const IS_PAIRS = /^\s*[\w.-]+\s*=[^\r\n]*$/;
/** Where a secret will stand, or that there is none. */
const NO_VALUE = /^(?:|none|null|undefined|true|false|\*+|x{3,}|\.{3}|…|<[^<>]*>|\$\{[^{}]*\}?|\{\{[^{}]*\}*)$/i;

/** Of models, folders or modules that are on, as likely as of keys. */
function isList(value: string): boolean {
  return /^\s*\[|^[^\s,;|]+(?:[,;|]\s?[^\s,;|]+)+[,;|]?$/.test(value);
}

/** `postgres` is the password of many a database, and in every sentence about one. */
function isWord(text: string): boolean {
  return text.length < UNSAID_LENGTH && /^[A-Za-z]+$/.test(text);
}

/** In any of its spellings: a server may have encoded what it repeats. */
function stands(texts: readonly string[], json: string): boolean {
  const secrets = createSecrets(TELLING_LENGTH, (one) => [one]);
  for (const one of texts) secrets.add(one);
  return secrets.text(json) !== json;
}
