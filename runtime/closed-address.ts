import { matchesUri } from "./uri-glob.ts";

/**
 * What closes is judged more broadly than what opens: an address is closed that a server may read as one that is. It is read as
 * written and decoded, with its parameters and without them, letters alike in either case, also where one is written as
 * two, and segments with the dots and blanks at their ends and without.
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

interface UriReading {
  /** Of a glob what stands before its first star, of an address all of it. */
  readonly begin: string;
  readonly path: readonly UriStep[];
}

interface ReadAddress {
  readonly scheme: string;
  readonly readings: readonly UriReading[];
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
  const isCovered = readingsOf(uriSteps(opened.text)).some((one) =>
    closing.readings.some(({ path }) => coversUri(path, one.path)),
  );
  return closing.scheme === opened.scheme && isCovered;
}

function closesAddress(glob: ReadAddress, { scheme, readings, parameters }: ReadAddress): boolean {
  if (!glob.readings.some((one) => readings.some((other) => closesReading(one, other)))) return false;
  const isIn = (wanted: readonly UriStep[]): boolean => parameters.some((one) => coversUri(wanted, one));
  return glob.scheme === scheme && glob.parameters.every(isIn);
}

function closesReading(glob: UriReading, { begin, path }: UriReading): boolean {
  // Most addresses are soon seen to be others.
  if (!begin.startsWith(glob.begin) && !begin.includes(";")) return false;
  return coversUri(glob.path, path);
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
    readings: readingsOf([...read]),
    parameters: [...apart(text).map(foldedText), ...apart(read)].map((one) => [...one]),
  };
}

function closingGlob(glob: string): ReadAddress {
  const { scheme, text } = schemeAndText(glob);
  const [path = "", ...parameters] = text.split("?");
  const asked = parameters.flatMap((one) => one.split(/[&;]/));
  return {
    scheme,
    readings: readingsOf(uriSteps(path)),
    parameters: asked.map((one) => uriPieces(one.replace(/\/?\*\*/g, "*"), ANY_TEXT)),
  };
}

/** As it is written, and as those read it who leave out what a segment ends in. */
function readingsOf(steps: readonly UriStep[]): UriReading[] {
  const tight = withoutLooseEnds(steps);
  return (tight.length === steps.length ? [steps] : [steps, tight]).map((path) => {
    const star = path.findIndex(isStar);
    return { begin: (star === -1 ? path : path.slice(0, star)).join(""), path };
  });
}

function isStar(step: UriStep | undefined): boolean {
  return step === ANY_CHARACTERS || step === ANY_SEGMENTS || step === ANY_TEXT;
}

const LOOSE = /^[.\s]$/u;

/** Behind a star they stay: without them it would be any segment. */
function withoutLooseEnds(steps: readonly UriStep[]): UriStep[] {
  const kept: UriStep[] = [];
  for (const step of [...steps, "/"]) {
    if (["/", "?", "&", ";", "#", ANY_SEGMENTS].includes(step)) {
      let to = kept.length;
      while (to > 0 && LOOSE.test(kept[to - 1]!)) to--;
      if (!isStar(kept[to - 1])) kept.length = to;
      // Of a segment of dots nothing is left.
      if (kept.at(-1) === "/" && (step === "/" || step === ANY_SEGMENTS)) kept.pop();
    }
    kept.push(step);
  }
  return kept.slice(0, -1);
}

function foldedText(text: string): string {
  const seen = decodeURIComponent(text).normalize("NFKD").replace(UNSEEN_IN_URI, "");
  return inOneCase(seen).replaceAll("+", " ");
}

/** Some letters are two in the other case, or have two forms in one. */
function inOneCase(text: string): string {
  const lower = text.toLowerCase().toUpperCase().normalize("NFKD").toLowerCase();
  return lower.replaceAll("\u03c2", "\u03c3").replaceAll("i\u0307", "i");
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
