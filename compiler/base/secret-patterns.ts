/** The forms that issuers give their tokens. A name beside them isn't needed. */
export const ISSUED: readonly RegExp[] = [
  /\bgh[pousr]_[A-Za-z0-9]{20,}/,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/,
  /\bglpat-[A-Za-z0-9_-]{16,}/,
  /\bsk-[A-Za-z0-9_-]{20,}/,
  /\b[rsp]k_(live|test)_[A-Za-z0-9]{16,}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{35}/,
  /\bnpm_[A-Za-z0-9]{30,}/,
  /\b(ntn|secret|sbp|lin_api|dop_v1|hf|figd)_[A-Za-z0-9_-]{20,}/,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
];

const SECRET_WORD =
  /(^|[_\-.])(token|secret|password|passwd|pwd|api[_-]?key|apikey|access[_-]?key|private[_-]?key|credentials?|pat|auth)($|[_\-.])/i;

/** What people write where a secret will stand. */
const PLACEHOLDER =
  /^(<.*>|\[.*\]|\{.*\}|your[-_ ].*|my[-_ ].*|change[-_ ]?me|replace[-_ ]?me|example.*|placeholder.*|dummy.*|fake.*|x{3,}|\*{3,}|\.{3,}|…|none|null|undefined|true|false|\d{1,6}|test|todo)$/i;

export function isSecretName(name: string): boolean {
  return SECRET_WORD.test(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}

/** The secret in a text; where a name says that it is one, any text that isn't a placeholder. */
export function findSecret(text: string, named: boolean): string | undefined {
  const issued = issuedToken(text);
  if (issued !== undefined) return issued;
  const value = text.trim().replace(/^(bearer|basic|token|apikey|api-key)\s+/i, "");
  if (!named || value.length < 8 || PLACEHOLDER.test(value) || /^(bearer|basic|token)$/i.test(value)) return undefined;
  return looksRandom(value) || value.length >= 12 ? value : undefined;
}

/** User info, a token anywhere, or a query whose key names a secret. */
export function findSecretInUrl(text: string): string | undefined {
  const user = /^[a-z][a-z0-9+.-]*:\/\/([^/?#@\s]+)@/i.exec(text)?.[1]?.replace(/^[^:]*:(?=.)/, "");
  if (user !== undefined && !PLACEHOLDER.test(user)) return user;
  const token = issuedToken(text);
  if (token !== undefined) return token;
  for (const [, key, value] of text.matchAll(/[?&]([^=&#]+)=([^&#]*)/g)) {
    if ((isSecretName(key!) || key === "key" || key === "sig") && value!.length >= 8 && !PLACEHOLDER.test(value!))
      return value;
  }
  return undefined;
}

/** A token in the form that its issuer gives it. */
export function issuedToken(text: string): string | undefined {
  return ISSUED.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
}

function looksRandom(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
}

/** What may stand before a token that its issuer gives no form of its own. */
export const INTRODUCED: readonly RegExp[] = [
  /\b(?:bearer|basic)\s{1,9}(?<secret>[\w.~+/=-]{12,})/,
  /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:]{0,200}:(?<secret>[^\s/?#@]{4,})(?=@)/,
];
