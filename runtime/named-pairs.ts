import { inNamedBlocks } from "./named-blocks.ts";
import { inNamedFlows } from "./named-flows.ts";
import { saysSecret } from "./secret-names.ts";

/** Up to what is between a name and its value, of an option and of a registry's settings too. */
const PAIR_NAME =
  /(?:^|[;?&,#({\s"']|\/:)(?:-D|--?)?([A-Za-z_][\w .-]{0,60}?)(?:\s?[=:](?!\/\/)|(?=\s[^\s-])(?<=--[\w-]{1,60}))/g;

/**
 * Values that stand in a text under names that say secret. Where one ends each kind of text says otherwise, so there are
 * several readings of one: what is looked for too much is found nowhere.
 */
export function inNamedPairs(text: string): string[] {
  const found = new Set([inNamedBlocks(text), inNamedFlows(text)].flat());
  const names = new RegExp(PAIR_NAME);
  let ofLogin: boolean | undefined;
  let end = 0;
  // A value of no interest may have a pair in it: the next is looked for right behind the sign.
  for (let pair = names.exec(text); pair !== null; pair = names.exec(text)) {
    const [whole, name = ""] = pair;
    const isKeyOfQuery = /^[?&]/.test(whole) && /^(?:key|sig|signature|auth|code)$/i.test(name);
    const start = names.lastIndex + (/\s/.test(text[names.lastIndex] ?? "") ? 1 : 0);
    if (!saysSecret(name) && !isKeyOfQuery && !(isShort(name, text[start]) && (ofLogin ??= OF_A_LOGIN.test(text))))
      continue;
    if (start >= end) end = start + matchAt(PLAIN_VALUE, text, start)[0]!.length;
    const [inQuotes] = /^["']/.test(whole) ? matchAt(UP_TO_QUOTE, text, start) : [];
    if (inQuotes !== undefined) found.add(inQuotes);
    for (const one of quotedAt(text, start) ?? plainAt(text, [start, end])) found.add(one);
  }
  return [...found];
}

/** Alone it is also a folder. */
function isShort(name: string, first: string | undefined): boolean {
  return /^(?:pwd|pass|pw)$/i.test(name) && !/[~./\\]/.test(first ?? "");
}

const OF_A_LOGIN = /(?:^|[;({,\s])(?:uid|user(?: ?id|name)?|server|host|data source|driver|dsn)\s?=/i;

/** Of many quotes that nobody closes each would be looked through to the end. */
const QUOTED_VALUE =
  /"((?:[^"\\]|\\[^]|""){1,2000})"|'((?:[^'\\]|\\[^]|''){1,2000})'|\{((?:[^}]|\}\}){1,2000})\}(?=\s*(?:;|$))/y;

/** With its escapes and without them, and up to the first quote, where a backslash is one. */
function quotedAt(text: string, at: number): string[] | undefined {
  const [whole, ...values] = matchAt(QUOTED_VALUE, text, at);
  const value = values.find((one) => one !== undefined);
  if (whole === undefined || value === undefined) return undefined;
  const end = whole.at(-1)!;
  return [value, value.replace(/\\([^])/g, "$1"), value.replaceAll(end + end, end), value.split(end)[0]!];
}

/** Of a pair in quotes. */
const UP_TO_QUOTE = /[^"'\r\n]{1,200}(?=["'])/y;
const PLAIN_VALUE = /[^;&\s]*/y;
/** Trap: it knows every sign that PAIR_NAME knows and PLAIN_VALUE has. Of n pairs there would be n values up to the end. */
const A_FURTHER_PAIR = /(?:[?&,#({\s"']|\/:)\s?[\w.-]{1,63}\s?[=:]/;
/** What is longer and has pairs in it is several values. */
const LONGEST_WITH_PAIRS = 100;
/** In a connection a value has blanks and other signs, up to the semicolon. */
const WIDE_VALUE = /[^;\r\n]{1,200}(?=[;\r\n]|$)/y;

/** As libpq escapes a blank. */
const ESCAPED_VALUE = /(?:[^;&\s\\]|\\[^\r\n]){1,200}/y;

function plainAt(text: string, [at, end]: readonly [number, number]): string[] {
  const further = text.slice(at, end).search(A_FURTHER_PAIR);
  const most = further === -1 ? end : at + Math.max(LONGEST_WITH_PAIRS, further) + LONGEST_WITH_PAIRS;
  const plain = text.slice(at, Math.min(end, most));
  const [wide = ""] = matchAt(WIDE_VALUE, text, at);
  const [escaped = ""] = plain.endsWith("\\") ? matchAt(ESCAPED_VALUE, text, at) : [];
  const readings = [plain, upTo(A_FURTHER_PAIR, wide).trimEnd(), escaped.replace(/\\([^])/g, "$1")];
  return readings
    .map((one) => one.replace(/^["']/, ""))
    .flatMap((one) => [one, upTo(/,/, one), upTo(/[)}]/, one), upTo(/[?#]/, one)])
    .filter((one) => one !== "" && !(one.length > LONGEST_WITH_PAIRS && A_FURTHER_PAIR.test(one)));
}

function upTo(sign: RegExp, text: string): string {
  const at = text.search(sign);
  return at === -1 ? text : text.slice(0, at);
}

function matchAt(pattern: RegExp, text: string, at: number): readonly (string | undefined)[] {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.exec(text) ?? [];
}
