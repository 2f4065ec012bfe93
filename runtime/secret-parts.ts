import { saysSecret } from "./secret-names.ts";

/** Values within values: JSON in base64 behind a scheme. */
const DEEPEST_PART = 4;

/**
 * What of a value is a secret of its own, since errors tell it alone: what stands under a name that says so, the password
 * of an address, a cookie, a line of a key, one key of a list. The value is the first of them.
 */
export function secretParts(value: string, depth: number = DEEPEST_PART): string[] {
  const trimmed = value.trim();
  const inner = [
    ...inJsonText(trimmed),
    ...inUserInfo(trimmed),
    ...inNamedPairs(trimmed),
    ...inCookies(trimmed),
    ...inList(trimmed),
    ...behindScheme(trimmed),
    ...inBase64Text(trimmed),
  ];
  const further = depth === 0 ? inner : inner.flatMap((part) => secretParts(part, depth - 1));
  return [...new Set([value, trimmed, ...keyLines(trimmed), ...further])];
}

function keyLines(text: string): string[] {
  const lines = text.split(/(?:\r?\n|\\n)/);
  return lines.length === 1 ? [] : lines.filter((line) => line.length >= 12);
}

function inJsonText(text: string): string[] {
  if (!/^[{[]/.test(text)) return [];
  try {
    return underSecretNames(JSON.parse(text), false);
  } catch {
    return [];
  }
}

function underSecretNames(value: unknown, isSecret: boolean): string[] {
  if (typeof value === "string") return isSecret ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => underSecretNames(inner, isSecret || saysSecret(name)));
}

/** The password up to the first `@` and up to the last one: it may be written as it is. Over HTTP a user alone is a token. */
function inUserInfo(text: string): string[] {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text);
  const found = /^([^:@/?#\s]*)(?::([^\s]*))?@/.exec(text.slice(scheme?.[0].length ?? 0));
  if (found === null) return [];
  const [, user = "", password = ""] = found;
  if (password !== "" && password !== "x-oauth-basic") return [password, password.split("@")[0]!];
  return /^(?:git\+)?https?$/i.test(scheme?.[1] ?? "") ? [user] : [];
}

const NAMED_PAIR = /(?:^|[;?&,#\s])([A-Za-z_][\w .-]{0,60}?)\s?[=:](?!\/\/)\s?(?:"([^"]+)"|'([^']+)'|([^;&\s]+))/g;

function inNamedPairs(text: string): string[] {
  return [...text.matchAll(NAMED_PAIR)].flatMap(([whole, name = "", ...values]) => {
    const isKeyOfQuery = /^[?&]/.test(whole) && /^(?:key|sig|signature|auth|code)$/i.test(name);
    const value = values.find((one) => one !== undefined)!;
    return saysSecret(name) || isKeyOfQuery ? [value, value.split(",")[0]!] : [];
  });
}

const OF_A_COOKIE = /^(?:path|domain|expires|max-age|samesite|priority|version)$/i;
/** One of these, and it is how a database is reached. */
const OF_A_CONNECTION =
  /^(?:server|host|hostname|address|addr|database|dbname|db|data source|initial catalog|driver|port|endpoint|protocol|provider)$/i;

function inCookies(text: string): string[] {
  if (/[\r\n{]/.test(text)) return [];
  const pairs = text.split(/;\s*/).flatMap((pair) => {
    const sign = pair.indexOf("=");
    return sign === -1 ? [] : [[pair.slice(0, sign).trim(), pair.slice(sign + 1).trim()] as const];
  });
  if (pairs.some(([name]) => !/^[\w.-]+$/.test(name) || OF_A_CONNECTION.test(name))) return [];
  return pairs.flatMap(([name, value]) => (OF_A_COOKIE.test(name) ? [] : [value.replace(/^"|"$/g, "")]));
}

/** Of short words and plain names alone a list has no keys: it says what is on. */
function inList(text: string): string[] {
  const elements = /^[^\s,;"{}[\]]+(?:,\s?[^\s,;"{}[\]]+)+$/.test(text) ? text.split(/,\s?/) : [];
  return elements.filter((one) =>
    one.length >= 12 ? !/^[A-Za-z_]+$/.test(one) : /\d/.test(one) && /[a-z]/i.test(one),
  );
}

function behindScheme(text: string): string[] {
  const behind = /^(?:bearer|basic|token|apikey|api-key|bot|key)\s+(\S.*)$/is.exec(text)?.[1];
  return behind === undefined ? [] : [behind];
}

/** A user with a password, or JSON: other bytes of text may be so by chance. */
function inBase64Text(text: string): string[] {
  const together = text.replace(/\s/g, "");
  if (!/^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(together)) return [];
  const decoded = Buffer.from(together, "base64").toString("utf8");
  if (/^[^\s:\p{Cc}\ufffd]+:[^\p{Cc}\ufffd]+$/u.test(decoded))
    return [decoded, decoded.slice(decoded.indexOf(":") + 1)];
  return /^\s*\{[^\ufffd]*\}\s*$/.test(decoded) ? [decoded] : [];
}
