import { isPlaceholder, looksRandom } from "./secret-patterns.ts";
import { isHarmless, saysSecret } from "./secret-names.ts";

/** Stands for a reference in a text: what is known only when it runs. */
export const HOLE = "\u0000";

/** The secret that stands under a name as it is; nothing where a reference brings it. */
export function secretUnder(name: string, text: string): string | undefined {
  if (!saysSecret(name)) return sessionUnder(name, text);
  const value = withoutScheme(text);
  return isWritten(value) && !isHarmless(name, value) ? value : undefined;
}

/** Secrets that a text gives with their names, or in an address: `-e TOKEN=x`, `"token": "x"`, `?api_key=x`, `u:x@host`. */
export function secretIn(text: string): string | undefined {
  return inAddress(text) ?? inPairs(text) ?? inFlags(text);
}

const SESSION = /(?:^|[-_])(?:session(?:[-_]?id)?|cookies?)$/i;

/** The name alone is also a label's: what stands there has to look like a key. */
function sessionUnder(name: string, text: string): string | undefined {
  if (!SESSION.test(name)) return undefined;
  const value = text.trim();
  const isPairs = /^[\w-]+=[^=]/.test(value);
  return isPairs ? secretsInCookies(value)[0] : isKeyLike(value) ? value : undefined;
}

/** Letters and digits that change more often than in words, versions and dates. */
function isKeyLike(text: string): boolean {
  const changes = text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return (
    /^[\w+/=.~%-]{16,}$/.test(text) && changes >= 4 && !/^[./~]|^[\w-]+\.[a-z]{2,}\b/.test(text) && isWritten(text)
  );
}

/** In a cookie a session is a secret too. */
export function secretsInCookies(text: string): readonly string[] {
  return text.split(";").flatMap((pair) => {
    const [name = "", ...value] = pair.split("=");
    const written = value.join("=").trim();
    const isSecret = /sess|sid$|auth|jwt/i.test(name.trim()) || saysSecret(name.trim());
    return isSecret && isWritten(written) ? [written] : [];
  });
}

const SCHEME = /^\s*(?:(?:bearer|basic|token|apikey|api-key|digest|negotiate|bot|key)(?:\s+|$))?/i;

function withoutScheme(text: string): string {
  return text.replace(SCHEME, "").trim();
}

function isWritten(value: string): boolean {
  return value !== "" && !value.includes(HOLE);
}

const USER = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}):\/\/([^\s/?#@:"']{0,200})(?::([^\s/?#@"']{1,500}))?@/gi;

/** A user's name alone is mostly no secret; over HTTP it is a token when it looks like one. */
function inAddress(text: string): string | undefined {
  for (const [, scheme = "", user = "", password] of text.matchAll(USER)) {
    if (password !== undefined && isWritten(password)) return password;
    const isToken = password === undefined && /^(?:git\+)?https?$/i.test(scheme) && looksRandom(user);
    if (isToken && isWritten(user)) return user;
  }
  return undefined;
}

const PAIR =
  /(?<![\w.-])(?:-e(?=[A-Z_])|--?)?["']?([A-Za-z_][\w.-]{0,80})\\?["']?\s{0,3}[:=](?!\/\/)\s{0,3}(?:\\?"([^"\\]*)|'([^']*)|((?:(?:bearer|basic|token|apikey|api-key|bot)\s{1,3})?[^\s"'&;,}#]*))/gi;

/** Alone these are also a folder, a command and a test that passed. */
const SHORT_NAME = /^(?:pwd|pass|pw)$/i;
const IS_FOLDER = /^(?:[~./\\]|[a-z]:[\\/])/i;
const OF_A_LOGIN = /(?:^|;)\s{0,9}(?:uid|user(?: ?id|name)?|server|host|data source|driver|dsn)\s?=/i;

function inPairs(text: string): string | undefined {
  let ofLogin: boolean | undefined;
  for (const [whole, name = "", ...values] of text.matchAll(PAIR)) {
    const value = values.find((one) => one !== undefined) ?? "";
    const found = secretUnder(name, value) ?? queryKey(name, value, whole, text);
    if (found !== undefined) return found;
    const isShort = SHORT_NAME.test(name) && isWritten(value) && !isHarmless(name, value) && !IS_FOLDER.test(value);
    if (isShort && (ofLogin ??= OF_A_LOGIN.test(text))) return value;
  }
  return undefined;
}

/** `key` and `sig` say it only in an address. */
function queryKey(name: string, value: string, pair: string, text: string): string | undefined {
  if (!/^(?:key|sig|signature|auth|code)$/i.test(name) || !/[?&]$/.test(text.slice(0, text.indexOf(pair))))
    return undefined;
  return value.length >= 8 && isWritten(value) && !isPlaceholder(value) ? value : undefined;
}

const FLAG = /(?<![\w-])--?([A-Za-z][\w-]{0,80})\s{1,3}(?!-)["']?([^\s"']{1,500})/g;

/** A command in one text: `srv --token x`. */
function inFlags(text: string): string | undefined {
  for (const [, name = "", value = ""] of text.matchAll(FLAG)) {
    const found = secretUnder(name, value);
    if (found !== undefined) return found;
  }
  return undefined;
}
