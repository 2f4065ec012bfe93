/** Globs of addresses, as they open: whoever holds one holds what it writes, and nothing that could be added. */

/** A glob, or an address: what stands before the first segment, and the segments. */
export interface UriParts {
  readonly begin: string;
  readonly segments: readonly string[];
}

/** What a glob doesn't write nobody adds. */
const URI_PARAMETERS = /[?&;]/;

export function partsOf(uri: string): UriParts {
  const scheme = /^[^:/?]*:?/.exec(uri)![0];
  const rest = uri.slice(scheme.length);
  const begin = rest.startsWith("//") ? `${scheme}//` : scheme;
  return { begin, segments: uri.slice(begin.length).split("/") };
}

/** `*` is any characters within a segment, `**` any number of segments; neither takes in `?`, `&` or `;`. */
export function matchesUri(glob: string, uri: string): boolean {
  const [pattern, parts] = [partsOf(glob), partsOf(uri)];
  return pattern.begin === parts.begin && matchesFrom(pattern.segments, parts.segments, segmentMatches);
}

/** Whether an address that begins so may fit. */
export function canBegin(glob: string, literal: string): boolean {
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
