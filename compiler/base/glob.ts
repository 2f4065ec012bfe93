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
