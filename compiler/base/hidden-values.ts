import { isHarmless, namesSession, namesValue } from "./secret-names.ts";
import { apart, tokensIn } from "./never-shown.ts";
import type { Located, Stretch } from "./place.ts";

/** What may be a secret on a line of a source. The name of a value may stand on a line above it. */
export function hiddenOnLine({ text, above = "" }: Located): Stretch[] {
  const lead = above === "" ? "" : `${above.slice(above.lastIndexOf("\n") + 1)}\n`;
  const tokens = tokensIn(lead + text).flatMap(([start, end]): Stretch[] =>
    end > lead.length ? [[Math.max(0, start - lead.length), end - lead.length]] : [],
  );
  return apart([...tokens, ...valuesIn(text, above)]);
}

/**
 * Whatever stands under a name that says secret on a line of a source, however short, and words too: it is for lines that
 * are shown, where the declaration may be broken and nobody knows what it means. Too much is masked rather than too little.
 * `above`: the lines before it, as many as are at hand.
 */
function valuesIn(line: string, above: string): Stretch[] {
  if (!MAY_SAY.test(line) && !MAY_SAY.test(above)) return [];
  if (isUnder(line, above)) return words(line, 0, line.length);
  const lead = /(?:^|\n)([^\n]*[:,[{|>=]|[^\n]*[\s"']--?[\w-]+["']?)\s*$/.exec(above)?.[1] ?? "";
  const text = lead === "" ? line : `${lead}\n${line}`;
  const from = text.length - line.length;
  const found = [...named(text, above), ...flagged(text), ...withoutColon(text)];
  return found.flatMap(([start, end]) => (end > from ? [[Math.max(0, start - from), end - from] as const] : []));
}

/** No name of a value is without one of these. */
const MAY_SAY =
  /pass|pw|pat|token|cookie|sess|sid|secret|key|cred|authorization|bearer|jwt|[?&]sig|-[pu]\b|--(?:proxy-)?user\b/i;

const KEY = /^((?:\s|- |["'])*)([A-Za-z_][\w.-]{0,80})["']?\s*:(?:\s|$)/;

/** Whether a line belongs to a value that begins above it, by its indent. */
function isUnder(line: string, above: string): boolean {
  let indent = /^\s*/.exec(line)![0].length;
  let isItem = /^\s*-(?:\s|$)/.test(line);
  let secret: string | undefined;
  let from = above.length + 1;
  for (const before of above.split("\n").toReversed()) {
    from -= before.length + 1;
    if (/^\s*(?:#|$)/.test(before)) continue;
    const own = /^(?:\s|-\s)*/.exec(before)![0].length;
    if (own > indent || (own === indent && !isItem)) continue;
    const key = KEY.exec(before)?.[2];
    if (key === undefined && own === indent) continue;
    [indent, isItem] = [own, /^\s*-\s/.test(before)];
    if (key !== undefined && BEGINS_TEXT.test(before) && isNamedBeside(key, above, from)) return true;
    if (secret === undefined && key !== undefined && namesValue(key)) {
      secret = key;
      if (BEGINS_TEXT.test(before)) return true;
    }
    // A server or a tool may be called `secrets`: a name in small letters counts where only values stand.
    if (secret !== undefined && (/[A-Z]/.test(secret) || (key !== undefined && OF_VALUES.test(key)))) return true;
  }
  return false;
}

/** A text on lines of its own, and no map of names. */
const BEGINS_TEXT = /:\s+(?:[!&]\S+\s+)?[|>][-+\d]{0,2}\s*(?:\s#.*)?$/;
const OF_VALUES = /^(?:env|headers|environment)$/i;
/** A name, as key, variable, flag or header, and what leads to its value. */
const NAME =
  /(?<![\w.$-])(?:-e(?=[A-Z_])|--?(?=[A-Za-z]))?(\\{0,3}["']?)([A-Za-z_][\w.-]{0,80})\1\s{0,9}(?::(?!\/\/|\?)[-+]?|=)[>|]?[ \t\n]{0,200}(?:[!&][\w!:.-]{0,80}[ \t\n]{1,20})?/g;

function named(text: string, above: string): Stretch[] {
  const found: Stretch[] = [];
  const before = `${above.slice(-NEAR_NAME)}\n`;
  const whole = before + text;
  let until = 0;
  for (const match of text.matchAll(NAME)) {
    const name = match[2]!;
    const at = match.index + match[0].length;
    const isMap = match[0].includes("\n") && KEY.test(text.slice(at, at + 100));
    const isText = /=\s*$/.test(match[0]) || text.slice(match.index - 2, match.index) === "${";
    const isMeant =
      namesValue(name) ||
      (isText && (namesSession(name) || isNamedByPlace(name, text, match.index, at))) ||
      isNamedBeside(name, whole, before.length + at);
    if (isMap || !isMeant || at < until) continue;
    const value = valueAt(name, text, at, isText);
    if (value === undefined) continue;
    until = value[1];
    for (const word of /cookie$/i.test(name) ? cookies(text, ...value) : words(text, ...value)) found.push(word);
  }
  return found;
}

/** In a query, and in a connection: alone it is anything, or also a folder. */
function isNamedByPlace(name: string, text: string, start: number, at: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  if (/[?&]$/.test(before)) return /^(?:key|sig|signature)$/i.test(name);
  return /^(?:pwd|pass|pw)$/i.test(name) && /;\s?$/.test(before) && !/[~./\\]/.test(text[at] ?? "");
}

/** As lists of variables have it: `name: DB_PASSWORD` beside `value: ...`. */
const NAME_OF_VALUE =
  /(?<![\w.-])(?:name|key|variable)\\{0,3}["']?\s{0,9}[:=]\s{0,9}(?:[!&][\w!:.-]{0,80}\s{1,9})?\\{0,3}["']?([A-Za-z_][\w.-]{0,80})/gi;
const NEAR_NAME = 300;

/** Before it the nearest counts, and behind it the next. */
function isNamedBeside(name: string, text: string, at: number): boolean {
  if (!/^value$/i.test(name)) return false;
  const before = Array.from(text.slice(Math.max(0, at - NEAR_NAME), at).matchAll(NAME_OF_VALUE)).at(-1);
  const [behind] = text.slice(at, at + NEAR_NAME).matchAll(NAME_OF_VALUE);
  return [before, behind].some((found) => found !== undefined && namesValue(found[1]!));
}

/** Whatever they are called. */
function cookies(text: string, from: number, to: number): Stretch[] {
  return Array.from(text.slice(from, to).matchAll(/[^;]+/g)).flatMap(({ 0: pair, index }) =>
    words(text, from + index + pair.indexOf("=") + 1, from + index + pair.length),
  );
}

/** Undefined where nothing that is written there may be a secret. */
function valueAt(name: string, text: string, at: number, inText: boolean): Stretch | undefined {
  const opening = text[at];
  if (opening === "[" || opening === "{") {
    const isMeant = /[A-Z]/.test(name) || OF_VALUES_BEFORE.test(text.slice(Math.max(0, at - NEAR), at));
    return isMeant && !isSchema(text, at) ? [at + 1, closing(text, at)] : undefined;
  }
  const quote = /^\\{0,3}["']/.exec(text.slice(at, at + 4))?.[0];
  const start = at + (quote?.length ?? 0);
  const end = quote === undefined ? plainEnd(text, start, inText) : quotedEnd(text, start, quote);
  return end - start < NEAR && isOpen(name, text.slice(start, end)) ? undefined : [start, end];
}

/** A line may have millions of characters: no look goes further for each name on it. */
const NEAR = 2000;
const OF_VALUES_BEFORE = /\b(?:env|headers|environment)["']?\s*:\s*\{[^}]*$/;

/** `"token": { "type": "string" }`: what is said of an argument of that name. */
function isSchema(text: string, at: number): boolean {
  return /^\{\s*["']?(?:type|description|title|\$ref|anyOf|oneOf|allOf|enum|const|glob|pattern|literal)\b/.test(
    text.slice(at, at + 60),
  );
}

function closing(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < Math.min(text.length, at + NEAR); i++) {
    if (text[i] === "[" || text[i] === "{") depth++;
    else if ((text[i] === "]" || text[i] === "}") && --depth === 0) return i;
  }
  return text.length;
}

function quotedEnd(text: string, start: number, quote: string): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + quote.length)) {
    const isEscaped = quote === '"' && /(?:^|[^\\])(?:\\\\)*\\$/.test(text.slice(Math.max(start, at - 20), at));
    const isDoubled = quote === "'" && text[at + 1] === "'";
    if (isDoubled) at++;
    else if (!isEscaped) return at;
  }
  return text.length;
}

/** Within a text to its end, but not into the next argument or pair; else to the end of the line or of the entry. */
function plainEnd(text: string, start: number, inText: boolean): number {
  const inFlow = inText || /[{[]/.test(text.slice(Math.max(0, text.lastIndexOf("\n", start) + 1, start - NEAR), start));
  const stop = inText
    ? /\s--?[A-Za-z]|[\s&;,][A-Za-z_]\w*=|["`&\n]|(?<!')'(?!')|[\]},](?=\s|$|["'\]}])/
    : inFlow
      ? /[,\]}"'\n]|\s#/
      : /\n|\s#/;
  const found = stop.exec(text.slice(start));
  return found === null ? text.length : start + found.index;
}

/** Words of the language, and what is no secret under any name. */
function isOpen(name: string, written: string): boolean {
  const value = blanked(written).replaceAll("{", " ").trim().replace(SCHEME, "");
  return OPEN.test(value) || isHarmless(name, value);
}

const OPEN = /^(?:|null|~|<[^<>]*>|all|none|ask|deny|allow|read-only|string|[|>][-+]?)$/;
const SCHEME = /^(?:bearer|basic|token|apikey|api-key|digest|negotiate|bot|key)(?:\s+|$)/i;
/** References, other programs' too, and of one with a default what leads to it. */
const REFERENCE =
  /\$\{(?:(?:env|inputs?|secrets?|vars?|config)[:.][\w.:-]+|[\w-]*(?=\})|[A-Za-z_]\w*(?::[-+]|:\?[^{}]*)?)\}?/g;

/** Of the same length. */
function blanked(text: string): string {
  return text.replace(REFERENCE, (found) => "{".repeat(found.length));
}

/** `-p x`, `--pass x`, `[--pass, x]`, `-u ada:x`. */
const FLAG =
  /(?<![\w-])--?([A-Za-z][\w-]{0,80})(["']?\s*,\s*|["']?\s+(?:- +)?)("[^"]{0,2000}|'(?:[^']|''){0,2000}|[^\s"'\],}]+)/g;

function flagged(text: string): Stretch[] {
  const found: Stretch[] = [];
  const flags = new RegExp(FLAG);
  for (let match = flags.exec(text); match; match = flags.exec(text)) {
    const [whole, name = "", , written = ""] = match;
    const value = written.replace(/^["']/, "");
    const start = match.index + whole.length - value.length;
    const user = /^(?:u|user|proxy-user)$/.test(name) ? value.indexOf(":") + 1 : 0;
    const isMeant =
      user > 0 || namesValue(name) || (name === "p" && !/^(?:\d{1,5}(?:[.:/-]\d{1,5})*(?:\/\w+)?$|[.~/])/.test(value));
    if (isMeant && !value.startsWith("-") && !isOpen(name, value)) found.push([start + user, start + value.length]);
    // What follows may be a flag itself.
    flags.lastIndex = start;
  }
  return found;
}

/** `DB_PASSWORD x`, where a line or a text begins. */
const NAME_ALONE =
  /(?:^[ \t-]*["']?|["'{])([A-Z][A-Z0-9_]{1,80}|[A-Z][A-Za-z0-9]{0,20}(?:-[A-Za-z0-9]{1,20}){1,8})[ \t\uff1a]+(?![:=])([^"'}\n]{1,2000})/gm;

function withoutColon(text: string): Stretch[] {
  return Array.from(text.matchAll(NAME_ALONE)).flatMap(({ 0: { length }, 1: name = "", 2: value = "", index }) =>
    namesValue(name) ? words(text, index + length - value.length, index + length) : [],
  );
}

/** What is written there; quotes, brackets and references are left as they stand, so that the line keeps its look. */
function words(text: string, from: number, to: number): Stretch[] {
  const found: Stretch[] = [];
  for (const { 0: phrase, index } of blanked(text.slice(from, to)).matchAll(PHRASE)) {
    const lead = /^(?:- )*(?:[\w.-]+:\s+)?/.exec(phrase)![0].length;
    const start = lead + (SCHEME.exec(phrase.slice(lead))?.[0].length ?? 0);
    const isMark = /^(?:-|[|>][-+]?|#.*|[\w.-]+:)?$/.test(phrase.slice(start));
    if (!isMark) found.push([from + index + start, from + index + phrase.length]);
  }
  return found;
}

const PHRASE = /[^\s"'[\]{},]+(?:[ \t]+[^\s"'[\]{},]+)*/g;
