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
 * else goes as well.
 */
const ESCAPES =
  /(?:\\+x[0-9a-f]{2})+|\\+(?:u[0-9a-f]{4}|[bfnrt] *)?|(?:%(?:25)*[0-9a-f]{2})+|&(?:amp;)*(?:#\d+|#x[0-9a-f]+|[a-z]{2,8});|[\b\t\n\f\r][\b\t\n\f\r ]*/gi;
const NO_LAYERS: readonly DecodedText[] = [];
const HINTS_ESCAPE = /[\\%&\b\t\n\f\r]/;

/** The given text's escapes taken off layer by layer, each a text of its own: JSON's, an address's, HTML's, in any mixture. */
export function decodedTexts(given: string): readonly DecodedText[] {
  if (!HINTS_ESCAPE.test(given)) return NO_LAYERS;
  const layers: DecodedText[] = [];
  let last = asItIs(given);
  while (layers.length < MOST_LAYERS && HINTS_ESCAPE.test(last.text)) {
    const next = withoutEscapes(last);
    if (next.text === last.text) break;
    layers.push(next);
    last = next;
  }
  return layers;
}

/** Places of stretches, in order: where each begins here and there, and where one that was an escape ends there. */
function withoutEscapes(outer: DecodedText): DecodedText {
  const [here, there, ends]: [number[], number[], (number | undefined)[]] = [[], [], []];
  let text = "";
  let at = 0;
  const enter = (piece: string, from: number, end?: number): void => {
    if (piece === "") return;
    here.push(text.length);
    there.push(from);
    ends.push(end);
    text += piece;
  };
  for (const { 0: escape, index = 0 } of outer.text.matchAll(ESCAPES)) {
    enter(outer.text.slice(at, index), at);
    at = index + escape.length;
    enter(meantBy(escape), index, at);
  }
  enter(outer.text.slice(at), at);
  const source = (from: number, to: number): readonly [number, number] => {
    const [first, last] = [stretchAt(here, from), stretchAt(here, to - 1)];
    const begin = ends[first] === undefined ? there[first]! + from - here[first]! : there[first]!;
    return outer.source(begin, ends[last] ?? there[last]! + to - here[last]!);
  };
  return { text, source };
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
    "szlig\u00df"
  )
    .split(" ")
    .map((named) => [named.slice(0, -1), named.slice(-1)] as const)
    .concat([["nbsp", " "]]),
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

/** Of one that isn't known, itself. */
function ofEntity(escape: string): string {
  const name = /([^;&]+);$/.exec(escape)![1]!;
  if (name.startsWith("#")) {
    const point = /x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return point <= 0x10ffff ? String.fromCodePoint(point) : escape;
  }
  const accent = ACCENTS[name.slice(1)];
  if (accent !== undefined) return (name[0]! + accent).normalize("NFC");
  return ENTITIES.get(name.toLowerCase()) ?? escape;
}

function meantBy(escape: string): string {
  if (escape.startsWith("%")) return ofBytes(escape.replace(/%(?:25)*(?=[0-9a-f]{2})/gi, ""));
  if (escape.startsWith("&")) return ofEntity(escape);
  if (!escape.startsWith("\\")) return "";
  const unit = /u([0-9a-f]{4})$/i.exec(escape)?.[1];
  if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16));
  return /x/i.test(escape) ? ofBytes(escape.replace(/\\+x/gi, "")) : "";
}

function ofBytes(hexadecimal: string): string {
  return Buffer.from(hexadecimal, "hex").toString("utf8");
}
