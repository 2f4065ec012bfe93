import { saysSecret } from "./secret-names.ts";

/** As lists of variables have it: `name: DB_PASSWORD` beside `value: ...`. */
export const NAMES_A_VALUE: RegExp = /^(?:name|key|variable)$/i;
export const IS_A_VALUE: RegExp = /^value$/i;

/** A map or a list in brackets, as far as it was read. */
interface Flow {
  /** Of what comes next. */
  name: string;
  /** The outermost that stands under a name that says secret: itself, or one around it. */
  readonly secret: Flow | undefined;
  isClosed: boolean;
  /** A name in it is that of a secret. */
  isNamed: boolean;
  /** Whose value it is, or is in. */
  readonly holder: Flow | undefined;
  readonly values: string[];
}

/** `secret` undefined: its own name says it. */
interface Found {
  readonly value: string;
  readonly secret: Flow | undefined;
}

/**
 * Values in brackets under names that say secret, as YAML, JSON with comments and programs have them. `isSecret`: all are.
 * What is in brackets that nobody closes is none by them: they may be signs of a text.
 */
export function inNamedFlows(text: string, isSecret = false): string[] {
  const open: Flow[] = [];
  const found: Found[] = [];
  const tokenAt = tokensOf(text);
  const isUnderSecret = (outer: Flow | undefined, bracket: number): boolean =>
    isSecret || saysSecret(outer === undefined ? nameBefore(text, bracket) : outer.name);
  for (let at = 0; at < text.length;) {
    const flow = open.at(-1);
    if (flow === undefined) at = bracketFrom(text, at);
    const sign = text[at];
    const token = tokenAt(at);
    at += token.length;
    // Where all are, each is one by itself: that around it may be a sign of a text.
    if (sign === "[" || sign === "{") open.push(flowWithin(isSecret ? undefined : flow, isUnderSecret(flow, at - 1)));
    else if (flow === undefined) break;
    else if (sign === "]" || sign === "}") endFlow(open.pop()!, found, true);
    else if (sign === ",") flow.name = "";
    else if (token.isName) flow.name = token.value;
    else if (token.value !== "") hear(flow, token.value, found);
  }
  for (const flow of open) endFlow(flow, found, false);
  return found.flatMap(({ value, secret }) => (secret === undefined || secret.isClosed ? [value] : []));
}

/**
 * Where a value may begin, and no reference to a variable.
 * Trap: each sign by itself would be looked for up to the end, however near the other is.
 */
const NEXT_BRACKET = /(?<![$\w])[[{]/g;

function bracketFrom(text: string, at: number): number {
  NEXT_BRACKET.lastIndex = at;
  return NEXT_BRACKET.exec(text)?.index ?? text.length;
}

/** Of the outermost bracket, where its line begins with it: as TOML has it, and YAML that isn't indented. */
const BEHIND_ITS_NAME = /(?<=^[ \t]{0,100}(?:export[ \t])?["']?([\w.-]{1,100})["']?\s{0,20}(?:=>|[:=])\s{0,20})[[{]/my;

function nameBefore(text: string, bracket: number): string {
  BEHIND_ITS_NAME.lastIndex = bracket;
  return BEHIND_ITS_NAME.exec(text)?.[1] ?? "";
}

/** `isSecret`: the name in front of it says so. */
function flowWithin(outer: Flow | undefined, isSecret: boolean): Flow {
  const holder = outer !== undefined && IS_A_VALUE.test(outer.name) ? outer : outer?.holder;
  const flow = { name: "", secret: outer?.secret, isClosed: false, isNamed: false, holder, values: [] };
  return isSecret && flow.secret === undefined ? Object.assign(flow, { secret: flow }) : flow;
}

/** Of names and values in one either may be first. */
function endFlow(flow: Flow, found: Found[], isClosed: boolean): void {
  flow.isClosed = isClosed;
  if (flow.isNamed) for (const value of flow.values) found.push({ value, secret: undefined });
}

function hear(flow: Flow, value: string, found: Found[]): void {
  const { name, secret } = flow;
  const holder = IS_A_VALUE.test(name) ? flow : flow.holder;
  holder?.values.push(value);
  if (NAMES_A_VALUE.test(name) && value.length <= LONGEST_NAME_IN_BRACKETS && saysSecret(value)) flow.isNamed = true;
  const isOwn = saysSecret(name);
  if (isOwn || secret !== undefined) found.push({ value, secret: isOwn ? undefined : secret });
}

const LONGEST_NAME_IN_BRACKETS = 100;

interface Token {
  readonly length: number;
  /** Without its quotes; empty: it is a sign, or a comment. */
  readonly value: string;
  readonly isName: boolean;
}

/** What is longer is several. */
const PLAIN_SCALAR = /(?:\$\{[^{}\s]{0,100}\}|[^\s[\]{},:=]|[:=](?![\s"'[{>]|$)|[ \t]+(?=[^\s[\]{},:=#])){1,2000}/y;
const BEHIND_NAME = /\s{0,20}(?:=>|[:=](?=[\s"'[{]|$))/y;
const BEHIND_QUOTED_NAME = /\s{0,20}(?:=>|[:=])/y;
const COMMENT = /(?<=\s)(?:#|\/\/)[^\n]*|\/\*[^]{0,300}?\*\//y;
const BLANKS = /\s+/y;
/** A tag or an anchor, with the value behind it. */
const MARK = /[&!][^\s,[\]{}]{0,100}(?=\s{1,100}[^\s,\]}])/y;

/** A quote is one at the beginning of a value alone. */
function tokensOf(text: string): (at: number) => Token {
  const endAt = endsOfQuoted(text);
  return (at) => {
    const skipped = lengthAt(BLANKS, text, at) || lengthAt(COMMENT, text, at) || lengthAt(MARK, text, at);
    if (skipped > 0) return { length: skipped, value: "", isName: false };
    const end = endAt(at);
    const length = end === undefined ? lengthAt(PLAIN_SCALAR, text, at) : end + 1 - at;
    if (length === 0) return { length: 1, value: "", isName: false };
    const behind = lengthAt(end === undefined ? BEHIND_NAME : BEHIND_QUOTED_NAME, text, at + length);
    const isName = behind > 0 && length <= LONGEST_NAME_IN_BRACKETS;
    const value = end === undefined ? text.slice(at, at + length).trim() : unescaped(text.slice(at, end + 1));
    return { length: length + behind, value, isName };
  };
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

function unescaped(quoted: string): string {
  const value = quoted.slice(1, -1);
  return quoted.startsWith("'") ? value.replaceAll("''", "'") : value;
}

/** Where the quoted value that begins there ends; undefined: none does. One that nobody closes is looked for once. */
function endsOfQuoted(text: string): (at: number) => number | undefined {
  const unclosed = new Set<string>();
  return (at) => {
    const quote = text[at]!;
    if ((quote !== '"' && quote !== "'") || unclosed.has(quote)) return undefined;
    for (let end = at + 1; end < text.length; end++) {
      if (quote === '"' && text[end] === "\\") end++;
      else if (text[end] === quote && (quote === '"' || text[end + 1] !== quote)) return end;
      else if (text[end] === quote) end++;
    }
    unclosed.add(quote);
    return undefined;
  };
}
