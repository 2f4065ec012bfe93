import { matchesUri } from "./uri-glob.ts";

/**
 * What closes is judged more broadly than what opens: an address is closed that a server may read as one that is. It is read as
 * written and decoded, with its parameters and without them, letters alike in either case.
 */

/** A character, or one of these. */
type UriStep = string;
/** Any characters of a segment, none too. */
const ANY_CHARACTERS = "any characters";
/** Some leave out what nobody sees. */
const UNSEEN_IN_URI = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Any segments, none too: the slash, and what follows it. */
const ANY_SEGMENTS = "any segments";
const ANY_TEXT = "any text";

interface ReadAddress {
  readonly scheme: string;
  /** Of a glob what stands before its first star, of an address all of it. */
  readonly begin: string;
  readonly path: readonly UriStep[];
  /** Each in its spellings. */
  readonly parameters: readonly (readonly UriStep[])[];
}

/** Whether one of the globs closes it. */
export function isClosedAddress(globs: readonly string[], uri: string): boolean {
  if (globs.length === 0) return false;
  const read = readAddress(uri);
  const known = closingGlobs.get(globs) ?? globs.map(closingGlob);
  closingGlobs.set(globs, known);
  return globs.some((glob, i) => matchesUri(glob, uri) || closesAddress(known[i]!, read));
}

/** A list of thousands of addresses is held against the same ones. */
const closingGlobs = new WeakMap<readonly string[], readonly ReadAddress[]>();

/** Whether it closes an address that the other glob opens. Where it can't be told, it may. */
export function mayClose(glob: string, opening: string): boolean {
  if (!opening.includes("*")) return isClosedAddress([glob], opening);
  const [closing, opened] = [closingGlob(glob), schemeAndText(opening)];
  return closing.scheme === opened.scheme && coversUri(closing.path, uriSteps(opened.text));
}

function closesAddress(glob: ReadAddress, { scheme, begin, path, parameters }: ReadAddress): boolean {
  // Most addresses are soon seen to be others.
  if (!begin.startsWith(glob.begin) && !begin.includes(";")) return false;
  const isIn = (wanted: readonly UriStep[]): boolean => parameters.some((one) => coversUri(wanted, one));
  return glob.scheme === scheme && coversUri(glob.path, path) && glob.parameters.every(isIn);
}

/** How many slashes follow the scheme doesn't matter, and a port is a parameter. */
function schemeAndText(uri: string): { readonly scheme: string; readonly text: string } {
  const [, scheme = "", slashes = "", rest = ""] = /^([^:]*:)(\/*)(.*)$/.exec(uri) ?? [];
  return { scheme, text: `/${slashes === "//" ? rest.replace(/^([^/?]*):([0-9*]+)(?=[/?]|$)/, "$1;:$2") : rest}` };
}

function readAddress(uri: string): ReadAddress {
  const { scheme, text } = schemeAndText(uri);
  const read = foldedText(text);
  const apart = (whole: string): string[] => whole.split(/[?&;#]/).slice(1);
  return {
    scheme,
    begin: read,
    path: [...read],
    parameters: [...apart(text).map(foldedText), ...apart(read)].map((one) => [...one]),
  };
}

function closingGlob(glob: string): ReadAddress {
  const { scheme, text } = schemeAndText(glob);
  const [path = "", ...parameters] = text.split("?");
  const asked = parameters.flatMap((one) => one.split(/[&;]/));
  const steps = uriSteps(path);
  const star = steps.findIndex((step) => step === ANY_CHARACTERS || step === ANY_SEGMENTS);
  return {
    scheme,
    begin: (star === -1 ? steps : steps.slice(0, star)).join(""),
    path: steps,
    parameters: asked.map((one) => uriPieces(one.replace(/\/?\*\*/g, "*"), ANY_TEXT)),
  };
}

function foldedText(text: string): string {
  return decodeURIComponent(text).normalize("NFKD").replace(UNSEEN_IN_URI, "").toLowerCase().replaceAll("+", " ");
}

function uriSteps(text: string): UriStep[] {
  const segments = text.split("/").slice(1);
  return segments.flatMap((one) =>
    one === "**" ? [ANY_SEGMENTS, ANY_TEXT] : ["/", ...uriPieces(one, ANY_CHARACTERS)],
  );
}

function uriPieces(text: string, star: UriStep): UriStep[] {
  return text.split("*").flatMap((piece, i) => [...(i === 0 ? [] : [star]), ...foldedText(piece)]);
}

/** Whether the steps reach the end of the text, or a place where it may be cut; `;` and what follows may be passed over. In time of the product of both lengths. */
function coversUri(steps: readonly UriStep[], text: readonly UriStep[]): boolean {
  const isOpen = text.includes(ANY_CHARACTERS);
  const later = new Map<number, Uint8Array>();
  let states: Uint8Array = withEmpty(Uint8Array.of(1, ...new Uint8Array(steps.length)), steps);
  for (let at = 0; ; at++) {
    const passed = later.get(at);
    if (passed !== undefined) states = eitherStates(states, passed);
    const character = text[at];
    if (states[steps.length] === 1 && (mayEndUri(text, at) || (isOpen && character === ";"))) return true;
    if (character === undefined) return false;
    if (character === ANY_SEGMENTS || character === ANY_TEXT) return states.includes(1);
    if (character === ";") {
      const end = endOfUriParameter(text, at + 1);
      const others = later.get(end);
      later.set(end, others === undefined ? states : eitherStates(states, others));
    }
    states = character === ANY_CHARACTERS ? statesAfterAny(states, steps) : statesAfter(states, steps, character);
    if (character === ANY_CHARACTERS && states[steps.length] === 1) return true;
    if (later.size === 0 && !states.includes(1)) return false;
  }
}

function mayEndUri(text: readonly UriStep[], at: number): boolean {
  const isEnd = (step: UriStep | undefined): boolean =>
    step === undefined || step === "?" || step === "&" || step === "#";
  return isEnd(text[at]) || (text[at] === "/" && isEnd(text[at + 1]));
}

function endOfUriParameter(text: readonly UriStep[], from: number): number {
  let at = from;
  while (at < text.length && !["/", "?", "#", ";", ANY_SEGMENTS].includes(text[at]!)) at++;
  return at;
}

function statesAfter(states: Uint8Array, steps: readonly UriStep[], character: string): Uint8Array {
  const next = new Uint8Array(states.length);
  steps.forEach((step, i) => {
    if (states[i] !== 1) return;
    if (step === ANY_TEXT || (step === ANY_CHARACTERS && character !== "/")) next[i] = 1;
    else if (step === character || (step === ANY_SEGMENTS && character === "/")) next[i + 1] = 1;
  });
  return withEmpty(next, steps);
}

/** After what may be any characters of a segment. */
function statesAfterAny(states: Uint8Array, steps: readonly UriStep[]): Uint8Array {
  const next = Uint8Array.from(states);
  steps.forEach((step, i) => {
    if (next[i] === 1 && step !== "/" && step !== ANY_SEGMENTS) next[i + 1] = 1;
  });
  return withEmpty(next, steps);
}

function withEmpty(states: Uint8Array, steps: readonly UriStep[]): Uint8Array {
  steps.forEach((step, i) => {
    if (states[i] !== 1) return;
    if (step === ANY_CHARACTERS || step === ANY_TEXT) states[i + 1] = 1;
    if (step === ANY_SEGMENTS) states[i + 2] = 1;
  });
  return states;
}

function eitherStates(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((state, i) => state | other[i]!);
}
