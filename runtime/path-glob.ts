/**
 * Path globs, judged as text and the same on every system. What could be read in two ways is refused, not
 * interpreted. Links are not followed: this is about what a path says, not about where it leads.
 *
 * `*` is any text within a segment, `**` (alone between slashes) any number of segments, none included,
 * `?` one character; nothing else is special. A segment that begins with a dot is matched only by a
 * segment of the glob that begins with one. Segments `.` are dropped and `..` is resolved first; what is left may be
 * the root itself, which `**` matches, and never leaves it. An empty segment is refused, so a slash at the end is.
 */

/** Bounds the work; no real path is longer. */
const LONGEST_PATH = 4096;

/** Why a value is not a path that the glob allows, as the end of a sentence, or undefined when it is. */
export function pathRefusalOf(glob: string): (value: string, root: string | undefined) => string | undefined {
  const patterns = glob.normalize("NFC").split("/").filter(isNoDot);
  const mismatch = `doesn't match the glob \`${glob}\``;
  return (value, root) => {
    const isPlain = value.length <= LONGEST_PATH && PLAIN_PATH.test(value);
    const unclear = isPlain ? undefined : ambiguity(value);
    if (unclear !== undefined) return unclear;
    const path = isPlain ? value : value.normalize("NFC");
    const unclearBy = path === value ? undefined : ambiguity(path);
    if (unclearBy !== undefined) return unclearBy;
    const segments = isPlain ? path.split("/") : path.split("/").filter(isNoDot);
    const below = path.startsWith("/") ? belowRoot(segments.slice(1), root) : segments;
    if (below === undefined)
      return root === undefined ? "is absolute, and the root isn't known" : "lies outside the root";
    const resolved = isPlain ? below : resolvePath(below);
    if (typeof resolved === "string") return resolved;
    return matches(patterns, resolved) ? undefined : mismatch;
  };
}

/** As nearly all are: nothing in it could be read in two ways, and there is nothing to resolve. */
const PLAIN_PATH = /^\/?(?:[\w.@+=-]*[\w@+=-]\/)*[\w.@+=-]*[\w@+=-]$/;

/**
 * The steps that judging takes at most, a third of a nanosecond each: every character is held against every one of the glob,
 * and letters beyond ASCII are brought into one form first, for which marks upon one letter are sorted.
 */
export function workOfPath(value: string, glob: string): number {
  const length = Math.min(value.length, LONGEST_PATH);
  const reading = BEYOND_ASCII.test(value) ? 1200 + length : 100;
  return 2000 + length * (reading + 8 * glob.length);
}

const BEYOND_ASCII = /[^\0-\x7f]/;

function isNoDot(segment: string): boolean {
  return segment !== ".";
}

/** Why a glob can't mean what its author wants, or undefined. It would match too little, never too much. */
export function pathGlobProblem(glob: string): string | undefined {
  const unclear = ambiguity(glob) ?? ambiguity(glob.normalize("NFC"));
  if (unclear !== undefined) return unclear;
  if (glob.startsWith("/")) return "begins with `/`; globs are relative to the root";
  if (glob.startsWith("!")) return "begins with `!`; nothing is negated here";
  if (/\{[^{}/]*,[^{}/]*\}/.test(glob)) return "holds `{a,b}`, which isn't a choice here; `pattern` can say it";
  for (const segment of glob.split("/")) {
    if (segment === "") return "holds an empty segment";
    if (segment === "..") return "holds the segment `..`";
    if (segment !== "." && ENDS_LOOSELY.test(segment)) return "holds a segment that ends in a dot or space";
    if (segment !== "**" && segment.includes("**"))
      return "holds `**` beside other text; it stands alone between slashes";
  }
  return undefined;
}

const CONTROL_IN_PATH = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;
/** Some file systems leave these out of names: `.g\u200cit` is `.git` there. An emoji keeps its own selector. */
const UNSEEN_IN_PATH = /(?!\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?<!\p{Extended_Pictographic})\ufe0f/u;
/** Programs that normalise (NFKC) read a fullwidth dot as a dot. */
const PATH_SIGNS = /[./\\:]/g;
const LOOSE_END = /^[\s"'`]|[\s"'`]$/u;
const ENDS_LOOSELY = /[.\s]$/u;

/** Spellings that some program on the way might expand, decode, trim or read as another place. */
function ambiguity(text: string): string | undefined {
  if (text === "") return "is empty";
  if (text.length > LONGEST_PATH) return `is longer than ${LONGEST_PATH} characters`;
  if (CONTROL_IN_PATH.test(text)) return "holds a control character";
  if (LOOSE_END.test(text)) return "begins or ends with white space or a quote";
  if (UNSEEN_IN_PATH.test(text)) return "holds a character that nobody sees";
  if (text.startsWith("~")) return "begins with `~`";
  if (text.includes("$")) return "holds a `$`";
  if (/%[0-9a-fu]/i.test(text)) return "holds a `%` escape";
  if (text.includes("\\")) return "holds a backslash";
  if (text.startsWith("//")) return "begins with `//`";
  if (text.includes(":")) return "holds a `:`, as a scheme or a drive does";
  if (BEYOND_ASCII.test(text) && text.replace(PATH_SIGNS, "").normalize("NFKC").search(PATH_SIGNS) >= 0)
    return "holds a character that stands for `.`, `/`, `\\` or `:`";
  return undefined;
}

/** What follows the root, or undefined when the path isn't there or below it, or the root is no plain absolute path. */
function belowRoot(segments: readonly string[], root: string | undefined): readonly string[] | undefined {
  if (root === undefined || !root.startsWith("/")) return undefined;
  const named = root.normalize("NFC").replace(/\/$/, "").split("/").slice(1);
  if (named.some((segment) => segment === "" || segment === "." || segment === "..")) return undefined;
  return named.every((segment, i) => segment === segments[i]) ? segments.slice(named.length) : undefined;
}

/** The segments of a relative path, none for the root; a text says why it is refused. */
function resolvePath(segments: readonly string[]): string[] | string {
  const resolved: string[] = [];
  for (const segment of segments) {
    if (segment === "") return "holds an empty segment";
    if (segment === "..") {
      if (resolved.pop() === undefined) return "leaves the root";
    } else if (ENDS_LOOSELY.test(segment)) return "holds a segment that ends in a dot or space";
    else resolved.push(segment);
  }
  return resolved;
}

/** `reached[n]`: the patterns so far match the first n segments. No backtracking, so no path is slow. */
function matches(patterns: readonly string[], segments: readonly string[]): boolean {
  const last = segments.length;
  const reached = [true];
  for (let i = 0; i < last; i++) reached.push(false);
  for (const pattern of patterns) {
    if (pattern === "**") {
      for (let i = 0; i < last; i++) if (reached[i]! && !segments[i]!.startsWith(".")) reached[i + 1] = true;
      continue;
    }
    for (let i = last; i > 0; i--) reached[i] = reached[i - 1]! && matchesSegment(pattern, segments[i - 1]!);
    reached[0] = false;
  }
  return reached[last]!;
}

/** After a mismatch only the last `*` has to take one more: at most pattern x segment steps. */
function matchesSegment(pattern: string, segment: string): boolean {
  if (segment.startsWith(".") && !pattern.startsWith(".")) return false;
  let at = 0;
  let position = 0;
  let star = -1;
  let resume = 0;
  while (at < segment.length) {
    const wanted = pattern[position];
    if (wanted === "*") {
      star = position++;
      resume = at;
    } else if (wanted === "?") {
      at += segment.codePointAt(at)! > 0xffff ? 2 : 1;
      position++;
    } else if (wanted === segment[at]) {
      at++;
      position++;
    } else if (star >= 0) {
      position = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[position] === "*") position++;
  return position === pattern.length;
}
