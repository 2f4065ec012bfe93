import { isClosedAddress } from "./closed-address.ts";
import type { ResourceRules } from "./contract.ts";
import { canBegin, matchesUri, partsOf } from "./uri-glob.ts";

/**
 * Addresses of resources, judged as text. One that isn't in its normal form is refused and never mended: whoever parses it
 * behind us would read something else than was judged.
 */

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
  // Some read dots of double width, and such, as dots.
  for (const text of [rest, decodeURIComponent(rest).normalize("NFKC")])
    if (text.split(/[/\\?&=;]/).some((part) => part === "." || part === "..")) return "it has a segment `.` or `..`";
  return parsedOtherwise(uri) ? "an address is written otherwise by those who parse it" : undefined;
}

/** Each in capitals, and never of a character that every writer leaves as it is, that would be a path's, or a control character. */
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

/** Why it can't be a glob, completing "since ..."; undefined: it can. */
export function uriGlobProblem(glob: string): string | undefined {
  if (glob.startsWith("*")) return "its scheme must be written out";
  const { segments } = partsOf(glob);
  if (segments.some((segment) => segment.includes("**") && segment !== "**"))
    return "`**` stands alone between slashes";
  const problem = uriProblem(glob.replaceAll("**", "x").replaceAll("*", "x"));
  return problem?.replace(/`x+`/g, "`*`");
}

/** Undefined: it may be read. Else why not, completing "since ...". */
export function uriRefusal(uri: string, { include, exclude = [], within = [] }: ResourceRules): string | undefined {
  const problem = uriProblem(uri);
  if (problem !== undefined) return `its address isn't in its normal form: ${problem}`;
  const isIn = (globs: readonly string[]): boolean => globs.some((glob) => matchesUri(glob, uri));
  const isOpen = isIn(include) && !isClosedAddress(exclude, uri) && within.every(isIn);
  return isOpen ? undefined : "the role doesn't hold it";
}

/** Whether an address that a template makes may be read: by what stands before its first brace. */
export function templateMayMatch(template: string, { include, within = [] }: ResourceRules): boolean {
  if (template.length > LONGEST_URI || /[^\x21-\x7e]/.test(template)) return false;
  const literal = template.split("{", 1)[0]!;
  const canStart = (globs: readonly string[]): boolean => globs.some((glob) => canBegin(glob, literal));
  return canStart(include) && within.every(canStart);
}

/** Of half an escape, itself. */
export function outOfAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
