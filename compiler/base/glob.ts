/**
 * Globs over tool names: `*` any text, none included; `?` one character (a code point); `\` takes the next
 * character as it is. Dots and slashes are characters like others. Case counts. Nothing is normalised:
 * a name is what the server sent.
 */

/** Whether any `*` or `?` stands without a backslash; if not, the selector is an exact name (`literal`). */
export function isGlob(selector: string): boolean {
  return tokens(selector).some((token) => typeof token === "symbol");
}

/** The name that an exact selector means: backslashes taken away. */
export function literal(selector: string): string {
  return selector.replace(/\\(.)/gsu, "$1");
}

export function globMatcher(glob: string): (name: string) => boolean {
  const pattern = tokens(glob);
  if (pattern.length === 1 && pattern[0] === ANY_TEXT) return () => true;
  return (name) => matches(pattern, name);
}

const ANY_TEXT: unique symbol = Symbol("*");
const ANY_CHARACTER: unique symbol = Symbol("?");
type GlobToken = string | typeof ANY_TEXT | typeof ANY_CHARACTER;

/** A string is one code point. A backslash at the very end is itself. */
function tokens(glob: string): GlobToken[] {
  return (glob.match(/\\.|./gsu) ?? []).map((part) => {
    if (part === "*") return ANY_TEXT;
    if (part === "?") return ANY_CHARACTER;
    return part.length > 1 && part.startsWith("\\") ? part.slice(1) : part;
  });
}

/** After a mismatch only the last `*` has to take one more: at most pattern x name steps, whatever the name. */
function matches(pattern: readonly GlobToken[], name: string): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const token = pattern[position];
    if (token === ANY_TEXT) {
      star = position++;
      resume = at;
    } else if (token === ANY_CHARACTER) {
      at += widthAt(name, at);
      position++;
    } else if (token !== undefined && name.startsWith(token, at)) {
      at += token.length;
      position++;
    } else if (star >= 0) {
      position = star + 1;
      resume += widthAt(name, resume);
      at = resume;
    } else return false;
  }
  while (pattern[position] === ANY_TEXT) position++;
  return position === pattern.length;
}

function widthAt(name: string, at: number): number {
  return name.codePointAt(at)! > 0xffff ? 2 : 1;
}

/**
 * Finds what many globs match among many names: the places of the names in the list, in its order. Names are held against a
 * glob only where they share its beginning, and up to its first `*` a `?` doesn't change that.
 */
export function globFinder(names: readonly string[]): (glob: string) => readonly number[] {
  let sorted: readonly SortedName[] | undefined;
  return (glob) => {
    const pattern = tokens(glob);
    if (pattern.length === 1 && pattern[0] === ANY_TEXT) return names.map((_, at) => at);
    sorted ??= names.map((name, at) => ({ name, at })).sort((one, other) => compareNames(one.name, other.name));
    return foundIn(sorted, pattern).sort((one, other) => one - other);
  };
}

interface SortedName {
  readonly name: string;
  /** In the list as it was given. */
  readonly at: number;
}

/** Names from one to another that begin alike, up to a length at which the pattern has come to a token. */
type AlikeNames = readonly [from: number, to: number, length: number, position: number];

function foundIn(sorted: readonly SortedName[], pattern: readonly GlobToken[]): number[] {
  const found: number[] = [];
  const open: AlikeNames[] = [[0, sorted.length, 0, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, to, length, position] = next;
    const token = pattern[position];
    if (token === ANY_TEXT) {
      for (const { name, at } of sorted.slice(from, to)) if (matches(pattern, name)) found.push(at);
    } else if (token === undefined) {
      for (let i = from; i < to && sorted[i]!.name.length === length; i++) found.push(sorted[i]!.at);
    } else if (token === ANY_CHARACTER) {
      for (let i = from, end = from; i < to; i = end) {
        const [character, only] = characterAt(sorted[i]!.name, length);
        end = only ? i + 1 : firstNot(sorted, i, to, (name) => name.startsWith(character, length));
        if (character !== "") open.push([i, end, length + character.length, position + 1]);
      }
    } else {
      const start = firstNot(sorted, from, to, (name) => name.slice(length, length + token.length) < token);
      const end = firstNot(sorted, start, to, (name) => name.startsWith(token, length));
      if (start < end) open.push([start, end, length + token.length, position + 1]);
    }
  }
  return found;
}

/** By code units, as beginnings are compared. */
function compareNames(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** `only`: half of one, or none, of which others that begin so needn't stand together. */
function characterAt(name: string, at: number): readonly [character: string, only: boolean] {
  const code = name.codePointAt(at);
  if (code === undefined) return ["", true];
  return [String.fromCodePoint(code), code >= 0xd800 && code <= 0xdfff];
}

/** The first from there on of which it isn't true; of all before it is. */
function firstNot(sorted: readonly SortedName[], from: number, to: number, holds: (name: string) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle]!.name)) low = middle + 1;
    else high = middle;
  }
  return low;
}
