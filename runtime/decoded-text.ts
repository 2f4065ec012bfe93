/** A text without its escapes, and where in the given text each stretch of it stood. */
export interface DecodedText {
  readonly text: string;
  /** Of the stretch `from` to `to`, which isn't empty: its first and its last place in the given text. */
  source(from: number, to: number): readonly [from: number, to: number];
}

/** A text that nothing was taken off. */
export function asItIs(text: string): DecodedText {
  return { text, source: (from, to) => [from, to] };
}

/** JSON in an address in JSON, and the like. What is deeper than that hides on purpose. */
const MOST_LAYERS = 6;

/**
 * Backslashes and `%25` repeated by encodings within each other count as one, line breaks as nothing, with what the next
 * line is indented by: base64 is cut into lines, and a key is told with and without them. A backslash before anything
 * else goes as well, and so does a zero, of which text in two bytes a letter has one behind each, spaces too.
 */
const ESCAPES =
  /(?:\\+[xX][0-9a-fA-F]{2})+|(?:\\+(?:[0-3][0-7]{2}|[0-7]{2}))+|\\+(?:U[0-9a-fA-F]{8}|[uU][0-9a-fA-F]{4}|[uU]\{[0-9a-fA-F]{1,6}\}|[bfnrtBFNRT] *)?|(?:%(?:25)*[0-9a-fA-F]{2})+|%(?:25)*[uU][0-9a-fA-F]{4}|&(?:[aA][mM][pP];)*(?:#\d+;?|#[xX][0-9a-fA-F]+;?|[a-zA-Z]{2,8};)|\0+|[\b\t\n\f\r][\0\b\t\n\f\r ]*/g;
const NO_LAYERS: readonly DecodedText[] = [];
const HINTS_ESCAPE = /[\\%&\0\b\t\n\f\r]/;

/**
 * The given text's escapes taken off layer by layer, each a text of its own: JSON's, an address's, HTML's, in any mixture.
 * `before`: what is left of the end of each layer before its escapes are taken off.
 */
export function decodedTexts(given: string, before = (text: string): string => text): readonly DecodedText[] {
  if (!HINTS_ESCAPE.test(given)) return NO_LAYERS;
  const layers: DecodedText[] = [];
  let last = asItIs(given);
  while (layers.length < MOST_LAYERS && HINTS_ESCAPE.test(last.text)) {
    const next = decodedBy({ ...last, text: before(last.text) }, ESCAPES, meantBy);
    if (next.text === last.text) break;
    layers.push(next);
    last = next;
  }
  return layers;
}

/**
 * Bytes of a list, as languages print one, as one that aligns its columns, and with the place before each. A longer list
 * is several, which follow one another: an expression keeps a place to return to for each of its numbers.
 */
const LISTED =
  /(?:(?:0x[0-9a-f]{1,2}|-?\d{1,3})(?:["']?[,;\s[]["',;\s[]{0,40}(?:\d{1,4}["'\]]{0,2}\s?(?:=>|:)\s?["']?)?(?=-?\d)|(?![\w.]))){4,1000}/gi;
const HINTS_LIST = /\d["']?[,;\s[]["',;\s[]{0,40}(?:-?\d|0x)/;
/** The place before a byte: `"1":104`, `[1] => 104`. */
const PLACE = /(?<!\d)\d+["'\]]{0,2}\s?(?:=>|:)/g;

/** With lists of numbers as the text that they are the bytes of, where there are any. */
function listedTexts(given: DecodedText, isCut: boolean): readonly DecodedText[] {
  if (!HINTS_LIST.test(given.text)) return NO_LAYERS;
  const whole = decodedBy(given, LISTED, (list) => ofBytes(bytesOfList(list)));
  return isCut ? [whole, decodedBy(given, LISTED, (list) => ofBytes(bytesOfList(list), true))] : [whole];
}

/** Between hexadecimal digits, as dumps and fingerprints have them in twos and fours. */
const BETWEEN_PAIRS = /(?<=[0-9a-f]{2})[ ,:;-]{1,3}(?=[0-9a-f]{2})/gi;
const HINTS_PAIRS =
  /[0-9A-Fa-f][ ,:;-]{1,3}[0-9A-Fa-f]{2}(?:[ ,:;-]{1,3}[0-9A-Fa-f]{2}[ ,:;-]|[0-9A-Fa-f]{2}[ ,]{1,3}[0-9A-Fa-f]{2})/;

/** With hexadecimal digits together, where something stands between them. */
function pairedTexts(given: DecodedText): readonly DecodedText[] {
  return HINTS_PAIRS.test(given.text) ? [decodedBy(given, BETWEEN_PAIRS, () => "")] : NO_LAYERS;
}

const HAS_BYTES = new RegExp(`${HINTS_PAIRS.source}|${HINTS_LIST.source}`);

/** As it is, and without its escapes, also where a form wrote `+` for the blanks between bytes and before lines. */
export function layersOf(given: string): readonly DecodedText[] {
  const layers = decodedTexts(given);
  const spaced = given.replaceAll("+", " ");
  if (spaced === given || (layers.length === 0 && !HAS_BYTES.test(spaced))) return [asItIs(given), ...layers];
  return [asItIs(given), ...layers, asItIs(spaced), ...decodedTexts(spaced)];
}

/** What the bytes in a layer are the text of, each way in which they may be written. `isCut`: a letter may be within its bytes. */
export function bytesIn(layer: DecodedText, isCut: boolean = false): readonly DecodedText[] {
  return [...listedTexts(layer, isCut), ...pairedTexts(layer)];
}

/** Of text in two bytes a letter every other one is none. */
function bytesOfList(list: string): Buffer {
  const bytes: number[] = [];
  for (const [number] of list.replace(PLACE, "").matchAll(/0x[0-9a-f]+|-?\d+/gi))
    if ((Number(number) & 0xff) !== 0) bytes.push(Number(number));
  return Buffer.from(bytes);
}

/** Signs that shells, SQL, CSV and mail write otherwise, or write before others. */
const QUOTES = /['"`\\]+|=3D/g;

export function withoutQuotes(text: string): string {
  return text.replace(QUOTES, (signs) => (signs.startsWith("=") ? "=" : ""));
}

/** With none of the signs that are written otherwise, where there are any: of half a quoted text nobody knows which are whose. */
export function unquotedTexts(given: DecodedText): readonly DecodedText[] {
  return given.text.search(QUOTES) === -1 ? NO_LAYERS : [decodedBy(given, QUOTES, withoutQuotes)];
}

/** `at`: where the escape stands in the text. */
type Meaning = (escape: string, at: number, text: string) => string;

/** Most texts hold no secret: where a stretch stood is worked out when one is asked for. */
function decodedBy(outer: DecodedText, escapes: RegExp, meant: Meaning): DecodedText {
  let places: Places | undefined;
  const source = (from: number, to: number): readonly [number, number] => {
    const { here, there, ends } = (places ??= placesOf(outer.text, escapes, meant));
    const [first, last] = [stretchAt(here, from), stretchAt(here, to - 1)];
    const begin = ends[first] === undefined ? there[first]! + from - here[first]! : there[first]!;
    return outer.source(begin, ends[last] ?? there[last]! + to - here[last]!);
  };
  return { text: outer.text.replace(escapes, meant), source };
}

/** Of stretches, in order: where each begins here and there, and where one that was an escape ends there. */
interface Places {
  readonly here: number[];
  readonly there: number[];
  readonly ends: (number | undefined)[];
}

function placesOf(text: string, escapes: RegExp, meant: Meaning): Places {
  const places: Places = { here: [], there: [], ends: [] };
  let [length, at] = [0, 0];
  const enter = (piece: string, from: number, end?: number): void => {
    if (piece === "") return;
    places.here.push(length);
    places.there.push(from);
    places.ends.push(end);
    length += piece.length;
  };
  for (const { 0: escape, index = 0 } of text.matchAll(escapes)) {
    enter(text.slice(at, index), at);
    at = index + escape.length;
    enter(meant(escape, index, text), index, at);
  }
  enter(text.slice(at), at);
  return places;
}

/** The last that begins at the place or before it. */
function stretchAt(begins: readonly number[], place: number): number {
  let [low, high] = [0, begins.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (begins[middle]! <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Names of signs that secrets have, each with its sign. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  (
    "amp& lt< gt> quot\" apos' plus+ equals= sol/ bsol\\ num# dollar$ percnt% excl! commat@ colon: semi; comma, period. " +
    "quest? ast* lpar( rpar) lsqb[ lbrack[ rsqb] rbrack] lcub{ lbrace{ rcub} rbrace} verbar| vert| lowbar_ hat^ grave` " +
    "szlig\u00df euro\u20ac pound\u00a3 yen\u00a5 cent\u00a2 sect\u00a7 para\u00b6 deg\u00b0 micro\u00b5 not\u00ac iexcl\u00a1 " +
    "iquest\u00bf oslash\u00f8 Oslash\u00d8 aelig\u00e6 AElig\u00c6"
  )
    .split(" ")
    .map((named) => [named.slice(0, -1), named.slice(-1)] as const)
    .concat([
      ["nbsp", " "],
      ["fjlig", "fj"],
    ]),
);
const ACCENTS: Readonly<Record<string, string>> = {
  grave: "\u0300",
  acute: "\u0301",
  circ: "\u0302",
  tilde: "\u0303",
  uml: "\u0308",
  ring: "\u030a",
  cedil: "\u0327",
};

function ofPoint(point: number, escape: string): string {
  return point <= 0x10ffff ? String.fromCodePoint(point) : escape;
}

/** Of one that isn't known, itself: what says that its `&` is one goes all the same. */
function ofEntity(escape: string): string {
  const [last, name = ""] = /([^;&]+);?$/.exec(escape)!;
  const itself = `&${last}`;
  if (name.startsWith("#")) {
    const point = /x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return ofPoint(point, itself);
  }
  const accent = ACCENTS[name.slice(1)];
  if (accent !== undefined) return (name[0]! + accent).normalize("NFC");
  return ENTITIES.get(name) ?? ENTITIES.get(name.toLowerCase()) ?? itself;
}

function meantBy(escape: string, at: number, text: string): string {
  // There a letter may be cut within its bytes.
  const isAtEnd = at === 0 || at + escape.length === text.length;
  if (escape.startsWith("%")) return ofPercents(escape, isAtEnd);
  if (escape.startsWith("&")) return ofEntity(escape);
  if (!escape.startsWith("\\")) return "";
  const [, unit, point] = /u(?:([0-9a-f]{4})|\{?([0-9a-f]+)\}?)$/i.exec(escape) ?? [];
  if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
  if (point !== undefined) return ofPoint(Number.parseInt(point, 16), escape);
  if (/x/i.test(escape)) return ofBytes(Buffer.from(escape.replace(/(?<!\\)\\+x/gi, ""), "hex"), isAtEnd);
  const octal = escape.match(/[0-7]{2,3}/g);
  return octal === null ? "" : ofBytes(Buffer.from(octal.map((byte) => Number.parseInt(byte, 8))), isAtEnd);
}

function ofPercents(escape: string, isAtEnd: boolean): string {
  if (/u/i.test(escape)) return String.fromCharCode(Number.parseInt(escape.slice(-4), 16));
  return ofBytes(Buffer.from(escape.replace(/%(?:25)*(?=[0-9a-f]{2})/gi, ""), "hex"), isAtEnd);
}

/** What isn't UTF-8 is a letter a byte, as Python and older programs write them. */
function ofBytes(bytes: Buffer, isAtEnd = false): string {
  const text = bytes.toString("utf8");
  return isAtEnd || !text.includes("\ufffd") ? text : bytes.toString("latin1");
}
