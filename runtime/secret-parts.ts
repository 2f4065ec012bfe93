import { IS_A_VALUE, NAMES_A_VALUE } from "./named-flows.ts";
import { inNamedPairs } from "./named-pairs.ts";
import { outOfAddress } from "./resource-uri.ts";
import { saysSecret } from "./secret-names.ts";

/** Values within values: JSON in base64 behind a scheme. */
const DEEPEST_PART = 4;

/**
 * What of a value is a secret of its own, since errors tell it alone: what stands under a name that says so, the password
 * of an address, a cookie, a line of a key, one key of a list. The value is the first of them.
 */
export function secretParts(value: string): string[] {
  return partsWithin(value, { guesses: true, isCookie: true });
}

/**
 * Of those the ones that a name or a place says, without what only looks like keys among others: a list may be of models,
 * and what has the form of a cookie may be settings.
 */
export function toldParts(value: string, isCookie: boolean): string[] {
  return partsWithin(value, { guesses: false, isCookie }).slice(1);
}

/** `isCookie`: whatever has the form of one. */
interface PartSearch {
  readonly guesses: boolean;
  readonly isCookie: boolean;
}

/**
 * So many characters have all parts together, by those of the value: whatever it is of, each is spelled in every encoding.
 * A value of n pairs may have n parts up to its end.
 */
const MOST_OF_PARTS = 3;
const MOST_OF_SHORT = 1_500;

/** Each is looked into once, those least deep first; of one depth the shorter are more likely secrets than what they are in. */
function partsWithin(value: string, search: PartSearch): string[] {
  const found = new Set([value]);
  let left = Math.max(MOST_OF_SHORT, MOST_OF_PARTS * value.length);
  const isNew = (part: string): boolean => {
    if (found.has(part) || part.length > left) return false;
    left -= part.length;
    found.add(part);
    return true;
  };
  let level = [...new Set([value.trim(), outOfQuotes(value)])];
  for (let depth = DEEPEST_PART; depth >= 0 && level.length > 0; depth--) {
    const read = new Set(level.flatMap((text) => [text.trim(), outOfAddress(text.trim())]));
    const inner = new Set([...read].flatMap((text) => partsDirectlyIn(text, { ...search, depth })));
    const alone = search.guesses ? level.flatMap((text) => [text.trim(), ...keyLines(text.trim())]) : [];
    level = shortestFirst(inner).filter(isNew);
    shortestFirst(alone).forEach(isNew);
  }
  return [...found];
}

/** As files of variables give one to programs that take its quotes, and their backslashes, for its own. */
export function outOfQuotes(value: string): string {
  const text = value.trim();
  const [, quote, inner = text] = /^(["'])([^]*)\1$/.exec(text) ?? [];
  return quote !== "'" && inner.includes('\\"') ? inner.replace(/\\(["\\])/g, "$1") : inner;
}

function shortestFirst(texts: Iterable<string>): string[] {
  return [...texts].sort((a, b) => a.length - b.length);
}

interface SearchAt extends PartSearch {
  readonly depth: number;
}

function partsDirectlyIn(text: string, search: SearchAt): string[] {
  return [
    ...inJsonText(text, search),
    ...inUserInfo(text),
    ...inFurtherAddresses(text),
    ...behindOracleUser(text),
    ...inNamedPairs(text),
    ...inCookies(text, search.isCookie ? () => true : isOfSession),
    ...(search.guesses ? [...inPaths(text), ...inList(text)] : []),
    ...behindScheme(text),
    ...[text, ...text.split(/[?&#](?:[\w.-]+=(?=e[wy]))?/)].flatMap(inBase64Text),
  ];
}

function keyLines(text: string): string[] {
  const lines = text.split(/(?:\r?\n|\\n)/);
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= 12);
}

function inJsonText(text: string, search: SearchAt, above: NamesAbove = NO_NAMES): string[] {
  if (!/^\s*[{[]/.test(text)) return [];
  try {
    return inJson(JSON.parse(text), above, search);
  } catch {
    return [];
  }
}

/** What the names above a value in JSON say of it. */
interface NamesAbove {
  readonly isSecret: boolean;
  readonly isCookie: boolean;
  /** A name with its password in base64, as Docker keeps it. */
  readonly isLogin: boolean;
  /** That of the map around it. */
  readonly name: string;
  /** Nothing but a list, or what is called keys. */
  readonly isList: boolean;
}

const NO_NAMES: NamesAbove = { isSecret: false, isCookie: false, isLogin: false, name: "", isList: true };

function inJson(value: unknown, above: NamesAbove, search: SearchAt): string[] {
  if (typeof value === "number") return above.isSecret ? [String(value)] : [];
  if (typeof value === "string") return inTextOfJson(value, above, search);
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    const keys =
      search.guesses && above.isList
        ? value.filter((one) => typeof one === "string" && !/\s/.test(one) && mayBeKey(one))
        : [];
    return [...(keys as string[]), ...value.flatMap((inner) => inJson(inner, above, search))];
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const isSecret =
      above.isSecret ||
      saysSecret(name) ||
      (/^(?:pass|pw)$/i.test(name) && isLogin(above.name, value)) ||
      (IS_A_VALUE.test(name) && isNamedSecret(value));
    const named = { name, isCookie: /cookie/i.test(name), isLogin: /^auth$/i.test(name), isList: /keys$/i.test(name) };
    return inJson(inner, { isSecret, ...named }, search);
  });
}

/** As lists of variables and of headers have it: `{ "name": "DB_PASSWORD", "value": ... }`. */
function isNamedSecret(map: object): boolean {
  return Object.entries(map).some(
    ([name, said]) => NAMES_A_VALUE.test(name) && typeof said === "string" && saysSecret(said),
  );
}

/** Alone `pass` is also a test that passed. */
function isLogin(name: string, map: object): boolean {
  return /auth|login|smtp|imap|mail|account|user|proxy|db|database/i.test(name) || Object.keys(map).some(isUser);
}

function isUser(name: string): boolean {
  return /^(?:user|username|login|account|email)$/i.test(name);
}

/** Of one that is no secret, what lies in it: other settings are like lists and cookies by chance. */
function inTextOfJson(text: string, above: NamesAbove, search: SearchAt): string[] {
  const { depth, guesses } = search;
  const nested = depth === 0 ? [] : inJsonText(text, { ...search, depth: depth - 1 }, { ...above, isList: false });
  if (above.isSecret) return [text, ...nested];
  const login = above.isLogin ? inBase64Text(text) : [];
  return [
    ...nested,
    ...(login.length > 0 ? [text, ...login] : []),
    ...inUserInfo(text),
    ...inFurtherAddresses(text),
    ...inNamedPairs(text),
    ...(above.isCookie ? inCookies(text, () => true) : []),
    ...(guesses ? inPaths(text) : []),
    ...(guesses && above.isList ? inList(text) : []),
  ];
}

/** The password up to the first `@` and up to the last one: it may be written as it is. Over HTTP a user alone is a token. */
function inUserInfo(text: string): string[] {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text);
  const userInfo = scheme === null ? /^([^:@/?#\s]*)(?::([^\s]*))?@/ : /^([^:@/?#\s]*)(?::([^\r\n]*))?@/;
  const found = userInfo.exec(text.slice(scheme?.[0].length ?? 0));
  if (found === null) return [];
  const [, user = "", password = ""] = found;
  if (password !== "" && password !== "x-oauth-basic")
    return [password, password.split("@")[0]!, ...(scheme === null ? [] : piecesOf(password))];
  return /^(?:git\+)?https?$/i.test(scheme?.[1] ?? "") ? [user] : [];
}

/** Errors of who takes a sign in it for the address's tell half of it as a host or a port. What is one itself has none. */
function piecesOf(password: string): string[] {
  return /^\d{1,5}[/?#]|@[\w.-]+(?::\d+)?[/?#]/.test(password) ? [] : password.split(/[@/?#]/, 9);
}

/** `jdbc:oracle:thin:user/password@host`: no address, and its password may be quoted. */
function behindOracleUser(text: string): string[] {
  const [, password = ""] = /^(?:jdbc:oracle:(?:thin|oci):)[^\s/@]+\/([^\s@]+)@/i.exec(text) ?? [];
  return password === "" ? [] : [password, password.replace(/^"(.*)"$/, "$1")];
}

/** Behind the first, in lines, lists and options. */
function inFurtherAddresses(text: string): string[] {
  return text.split(/(?<![a-z0-9+.-])(?=[a-z][a-z0-9+.-]{0,30}:\/\/)/i).flatMap(inUserInfo);
}

/** Errors tell a path alone. */
function inPaths(text: string): string[] {
  return [...text.matchAll(/(?:http|ws)s?:\/\/[^\s/?#"']+(\/[^\s?#"']*)/gi)].flatMap(([, path = ""]) =>
    path.split(/%[0-9a-f]{2}|[^\w.+=~-]/i).filter(isKeyOfPath),
  );
}

/** Ids are hexadecimal, or small letters with hyphens. */
function isKeyOfPath(one: string): boolean {
  if (!/^(?=\D*\d).{20,}$/.test(one) || /\.[A-Za-z]{2,10}$|^(?=.*-)[a-z0-9._-]+$/.test(one)) return false;
  const changes = one.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g) ?? "";
  return changes.length >= 3 && !one.split(/[_.-]/).every(isNameOrId);
}

/** `Team1Project2`: mostly words. */
function isNameOrId(one: string): boolean {
  const others = one.replace(/[A-Z][a-z]{2,}|^[a-z]{2,}/g, "");
  return others.length * 3 <= one.length || /^(?:(?:0x)?[0-9a-f]*|[a-z]*\d*)$/i.test(one);
}

const OF_A_COOKIE = /^(?:path|domain|expires|max-age|samesite|priority|version)$/i;
/** One of these, and it is how a database is reached. */
const OF_A_CONNECTION =
  /^(?:server|host|hostname|address|addr|database|dbname|db|data source|initial catalog|driver|port|endpoint|protocol|provider)$/i;

/** By its name, where it isn't one of a few ways that a word names. */
function isOfSession(name: string, value: string): boolean {
  return !/^[a-z]{1,11}$/i.test(value) && (saysSecret(name) || SESSION.test(name));
}

const SESSION = /(?:sess(?:ion)?(?:[_-]?id)?|(?:^|[_.-])sid|auth|(?:csrf|xsrf|session)(?:[_-]?token)?)$/i;

function inCookies(text: string, isSecret: (name: string, value: string) => boolean): string[] {
  if (/[\r\n{]/.test(text)) return [];
  const header = /^(?:set-)?cookie:\s*/i.exec(text)?.[0] ?? "";
  const pairs = text
    .slice(header.length)
    .split(/;\s*/)
    .flatMap((pair) => {
      const sign = pair.indexOf("=");
      return sign === -1 ? [] : [[pair.slice(0, sign).trim(), pair.slice(sign + 1).trim()] as const];
    });
  if (pairs.some(([name]) => !/^[\w.-]+$/.test(name) || OF_A_CONNECTION.test(name))) return [];
  return pairs.flatMap(([name, value]) =>
    OF_A_COOKIE.test(name) || !(header !== "" || isSecret(name, value)) ? [] : [value.replace(/^"|"$/g, "")],
  );
}

/** Of short words and plain names alone a list has no keys: it says what is on. */
function inList(text: string): string[] {
  const elements = text.split(/[,;|\s]+/).filter((one) => one !== "");
  if (elements.some((one) => /["{}[\]]/.test(one))) return [];
  const users = elements.flatMap(inUser);
  if (elements.length < 2) return users;
  // Between blanks stand sentences and commands, between other signs folders and settings.
  if (!/^[^\s,;|]+(?:,\s?[^\s,;|]+)+,?$/.test(text)) return [...users, ...(elements.every(isKey) ? elements : [])];
  return [...users, ...elements.filter(mayBeKey)];
}

function mayBeKey(one: string): boolean {
  return one.length >= 12 ? !/^[A-Za-z_]+$/.test(one) : /\d/.test(one) && /[a-z]/i.test(one);
}

/** Long, of letters and digits in between, and no path, file, host, package or pair. */
export function isKey(text: string): boolean {
  return /^[A-Za-z0-9][\w.+/=~-]{11,}$/.test(text) && isMixed(text) && !/\.[a-z]{2,10}$/i.test(text);
}

/** `user:password`: of most pairs the second is a port, a version or an id. */
function inUser(text: string): string[] {
  const password = /^[^\s:/@]+:([^\s:/@]{8,})$/.exec(text)?.[1] ?? "";
  return isMixed(password) && !/^[0-9a-f-]+$/i.test(password) ? [password] : [];
}

/** As words, versions and dates aren't. */
function isMixed(text: string): boolean {
  return (text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0) >= 3;
}

function behindScheme(text: string): string[] {
  return /^(?:bearer|basic|token|apikey|api-key|bot|key)\s+(\S.*)$/is.exec(text)?.slice(1) ?? [];
}

/** A user with a password, JSON, or lines: other bytes of text may be so by chance. */
function inBase64Text(text: string): string[] {
  const together = text.replace(/\s/g, "");
  if (!/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(together)) return [];
  const decoded = Buffer.from(together, "base64").toString("utf8");
  if (/^[^\s:\p{Cc}\ufffd]+:[^\p{Cc}\ufffd]+$/u.test(decoded))
    return [decoded, decoded.slice(decoded.indexOf(":") + 1)];
  return /^(?:\s*\{[^\ufffd]*\}\s*|[^\ufffd\p{Cc}]+\r?\n[^\ufffd\0]*)$/u.test(decoded) ? [decoded] : [];
}
