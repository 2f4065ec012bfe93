import type { ResourceRules } from "./contract.ts";

/**
 * Addresses of resources, judged as text. One that isn't in its normal form is refused and never mended: whoever parses it
 * behind us would read something else than was judged.
 */

/** A glob, or an address: what stands before the first segment, and the segments. */
export interface UriParts {
  readonly begin: string;
  readonly segments: readonly string[];
}

const LONGEST_URI = 8_192;
const URI_SCHEME = /^[a-z][a-z0-9+.-]*:/;
/** Unreserved and reserved characters but `#`, `[` and `]`, and escapes. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*$/;
const URI_HOST = /^(?:[a-z0-9_~!$&'()*+,;=-]+(?:\.[a-z0-9_~!$&'()*+,;=-]+)*)?(?::[1-9][0-9]{0,4})?$/;

/** Why it isn't in its normal form, completing "since ..."; undefined: it is. */
export function uriProblem(uri: string): string | undefined {
  if (uri.length > LONGEST_URI) return `it has more than ${LONGEST_URI} characters`;
  if (/[^\x21-\x7e]/.test(uri)) return "it holds a character that isn't printable ASCII";
  const scheme = URI_SCHEME.exec(uri)?.[0];
  if (scheme === undefined) return "it has no scheme in lower case";
  const rest = uri.slice(scheme.length);
  const odd = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/.exec(rest)?.[0];
  if (odd !== undefined || !URI_CHARACTERS.test(rest)) return `it holds \`${odd}\``;
  const escape = escapeProblem(rest);
  if (escape !== undefined) return escape;
  const authority = /^\/\/([^/?]*)/.exec(rest)?.[1];
  if (authority?.includes("@") === true) return "it names a user";
  if (authority !== undefined && !URI_HOST.test(authority)) return "its host isn't in lower case and without escapes";
  const segments = partsOf(uri).segments;
  const path = authority === undefined ? segments : segments.slice(1);
  if (path.includes("")) return "it has an empty segment";
  if (path.length === 0 && (authority ?? "") === "") return "it names nothing";
  if (rest.split(/[/?&=;]/).some((part) => part === "." || part === "..")) return "it has a segment `.` or `..`";
  return parsedOtherwise(uri) ? "an address is written otherwise by those who parse it" : undefined;
}

/** Each in capitals, of a character that needs it, and never of one that would be a path's or a control character. */
function escapeProblem(text: string): string | undefined {
  for (const [escape] of text.matchAll(/%.{0,2}/g)) {
    if (!/^%[0-9A-F]{2}$/.test(escape)) return `\`${escape}\` is no escape in capitals`;
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    if (/[A-Za-z0-9\-._~/\\%\u0000-\u001f\u007f]/.test(character)) return `\`${escape}\` may not be escaped`;
  }
  try {
    return /\p{Cc}/u.test(decodeURIComponent(text)) ? "it holds a control character" : undefined;
  } catch {
    return "its escapes are no UTF-8";
  }
}

/** Schemes that browsers know have numbers, ports and hosts of several spellings. */
function parsedOtherwise(uri: string): boolean {
  if (!URL.canParse(uri)) return true;
  const { href } = new URL(uri);
  return href !== uri && href !== `${uri}/`;
}

export function partsOf(uri: string): UriParts {
  const scheme = /^[^:/?]*:?/.exec(uri)![0];
  const rest = uri.slice(scheme.length);
  const begin = rest.startsWith("//") ? `${scheme}//` : scheme;
  return { begin, segments: uri.slice(begin.length).split("/") };
}

/** Why it can't be a glob, completing "since ..."; undefined: it can. */
export function uriGlobProblem(glob: string): string | undefined {
  if (glob.startsWith("*")) return "its scheme must be written out";
  const { segments } = partsOf(glob);
  if (segments.some((segment) => segment.includes("**") && segment !== "**"))
    return "`**` stands alone between slashes";
  const problem = uriProblem(glob.replaceAll("**", "x").replaceAll("*", "x"));
  return problem?.replace(/`x+`/g, "`*`");
}

/** `*` is any characters within a segment, `**` any number of segments; neither takes in a `?` or a `&`. */
export function matchesUri(glob: string, uri: string): boolean {
  const [pattern, parts] = [partsOf(glob), partsOf(uri)];
  return pattern.begin === parts.begin && matchesFrom(pattern.segments, parts.segments, segmentMatches);
}

/** Undefined: it may be read. Else why not, completing "since ...". */
export function uriRefusal(uri: string, { include, exclude = [], within = [] }: ResourceRules): string | undefined {
  const problem = uriProblem(uri);
  if (problem !== undefined) return `its address isn't in its normal form: ${problem}`;
  const isIn = (globs: readonly string[]): boolean => globs.some((glob) => matchesUri(glob, uri));
  const isOpen = isIn(include) && !isIn(exclude) && within.every(isIn);
  return isOpen ? undefined : "the role doesn't hold it";
}

/** Whether an address that a template makes may be read: by what stands before its first brace. */
export function templateMayMatch(template: string, { include, within = [] }: ResourceRules): boolean {
  if (/[^\x21-\x7e]/.test(template)) return false;
  const literal = template.split("{", 1)[0]!;
  const canStart = (globs: readonly string[]): boolean => globs.some((glob) => canBegin(glob, literal));
  return canStart(include) && within.every(canStart);
}

/** What a glob doesn't write nobody adds. */
const URI_PARAMETERS = /[?&]/;

function canBegin(glob: string, literal: string): boolean {
  const pattern = partsOf(glob);
  if (literal.length <= pattern.begin.length) return pattern.begin.startsWith(literal);
  if (!literal.startsWith(pattern.begin)) return false;
  const segments = literal.slice(pattern.begin.length).split("/");
  // The last one may go on.
  const last = segments.length - 1;
  const beginsWith = (wanted: string, at: number): boolean =>
    at < last ? segmentMatches(wanted, segments[at]!) : segmentCanBegin(wanted, segments[at]!);
  return beginsFrom(pattern.segments, segments.length, beginsWith);
}

/** Of the first `count` segments each fits, and more may follow. */
function beginsFrom(pattern: readonly string[], count: number, fits: (wanted: string, at: number) => boolean): boolean {
  let states = withNone(new Set([0]), pattern);
  for (let at = 0; at < count; at++) {
    const next = new Set<number>();
    for (const state of states) {
      if (pattern[state] === "**" && fits("*", at)) next.add(state);
      if (state < pattern.length && pattern[state] !== "**" && fits(pattern[state]!, at)) next.add(state + 1);
    }
    states = withNone(next, pattern);
  }
  return states.size > 0;
}

function matchesFrom(
  pattern: readonly string[],
  segments: readonly string[],
  fits: (wanted: string, segment: string) => boolean,
): boolean {
  let states = withNone(new Set([0]), pattern);
  for (const segment of segments) {
    const next = new Set<number>();
    for (const state of states) {
      if (pattern[state] === "**") {
        if (!URI_PARAMETERS.test(segment)) next.add(state);
      } else if (state < pattern.length && fits(pattern[state]!, segment)) next.add(state + 1);
    }
    states = withNone(next, pattern);
  }
  return states.has(pattern.length);
}

/** `**` may be no segment at all. */
function withNone(states: Set<number>, pattern: readonly string[]): Set<number> {
  for (const state of states) if (pattern[state] === "**") states.add(state + 1);
  return states;
}

/** In time of the product of both lengths. `*` alone is at least one character. */
function segmentMatches(wanted: string, segment: string): boolean {
  if (wanted === "*") return segment !== "" && !URI_PARAMETERS.test(segment);
  const pieces = wanted.split("*");
  if (pieces.length === 1) return wanted === segment;
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  if (segment.length < first.length + last.length || !segment.startsWith(first) || !segment.endsWith(last))
    return false;
  let at = first.length;
  const end = segment.length - last.length;
  for (const [i, piece] of pieces.entries()) {
    if (i === 0) continue;
    const isLast = i === pieces.length - 1;
    const found = isLast ? end : segment.indexOf(piece, at);
    if (found === -1 || found < at || found + piece.length > segment.length) return false;
    if (!isLast && found + piece.length > end) return false;
    if (URI_PARAMETERS.test(segment.slice(at, found))) return false;
    at = found + piece.length;
  }
  return true;
}

function segmentCanBegin(wanted: string, literal: string): boolean {
  const star = wanted.indexOf("*");
  if (star === -1) return wanted.startsWith(literal);
  const first = wanted.slice(0, star);
  return literal.length <= first.length ? first.startsWith(literal) : literal.startsWith(first);
}
