import type { Ranges, Shape } from "../base/pattern-syntax.ts";

const SLASH: Ranges = [47, 47];
/** Without controls, `$`, `/`, `:` and `\\`, which make a path refused: more than there are is fine, fewer wouldn't be. */
const PLAIN: Ranges = [32, 35, 37, 46, 48, 57, 59, 91, 93, 126, 0xa0, 0x10ffff];
/** At the end of a segment, where no dot and no space is. */
const NOT_LOOSE: Ranges = [33, 35, 37, 45, 48, 57, 59, 91, 93, 126, 0xa1, 0x10ffff];

/**
 * The paths that a path glob allows, as a shape over their resolved segments, each with a slash behind it: the root is the
 * empty text. `runtime/path-glob.ts` has the meaning; a property holds the two together.
 */
export function shapeOfGlob(glob: string): Shape {
  const patterns = glob
    .normalize("NFC")
    .split("/")
    .filter((segment) => segment !== ".");
  return sequence(patterns.map((pattern) => (pattern === "**" ? repeat(segmentThen(OPEN)) : segmentThen(pattern))));
}

/** Every resolved path that a glob can be asked of: what may be read in two ways is none. */
export const PATHS: Shape = repeat(sequence([repeat(character(PLAIN)), character(NOT_LOOSE), character(SLASH)]));

/** A path as one writes it. */
export function pathOfText(text: string): string {
  return text === "" ? "." : text.slice(0, -1);
}

const OPEN = "*";
const ANY: Ranges = [1, 46, 48, 0x10ffff];
/** Anything that a segment may begin with, where the pattern writes no dot. */
const NO_DOT: Ranges = [1, 45, 48, 0x10ffff];

function segmentThen(pattern: string): Shape {
  const body = pattern.startsWith(".") ? rest([...pattern]) : begun([...pattern]);
  return sequence([body, character(SLASH)]);
}

/** A segment that begins with no dot, and isn't empty. */
function begun([first, ...others]: readonly string[]): Shape {
  if (first === undefined) return NOTHING_AT_ALL;
  if (first === "?") return sequence([character(NO_DOT), rest(others)]);
  if (first !== "*") return first === "." ? NOTHING_AT_ALL : sequence([single(first), rest(others)]);
  return { kind: "choice", options: [sequence([character(NO_DOT), rest(["*", ...others])]), begun(others)] };
}

function rest(pattern: readonly string[]): Shape {
  return sequence(
    pattern.map((one) => (one === "*" ? repeat(character(ANY)) : one === "?" ? character(ANY) : single(one))),
  );
}

const NOTHING_AT_ALL: Shape = { kind: "choice", options: [] };

function sequence(parts: readonly Shape[]): Shape {
  return { kind: "sequence", parts };
}

function repeat(body: Shape): Shape {
  return { kind: "repeat", body, least: 0, most: Infinity };
}

function character(ranges: Ranges): Shape {
  return { kind: "character", ranges };
}

function single(point: string): Shape {
  const code = point.codePointAt(0)!;
  return character([code, code]);
}
