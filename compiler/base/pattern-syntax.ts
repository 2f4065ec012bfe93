/**
 * The shape of a regular expression (`u` flag), as far as the question "can it run away?" needs it: which
 * characters may come, in which order, how often. Captures, laziness and `^ $ \b \B` make no difference to
 * that and are left out. The source has compiled, so the syntax is known to be valid.
 */

/** Code points as [from, to, from, to, ...], ascending, both ends included. */
export type Ranges = readonly number[];

export type Shape =
  | { readonly kind: "character"; readonly ranges: Ranges }
  | { readonly kind: "sequence"; readonly parts: readonly Shape[] }
  | { readonly kind: "choice"; readonly options: readonly Shape[] }
  /** `most` may be Infinity. */
  | { readonly kind: "repeat"; readonly body: Shape; readonly least: number; readonly most: number };

/** A text says which construct can't be judged. */
export function shapeOfPattern(source: string): Shape | string {
  const reader: Reader = { points: [...source], at: 0, depth: 0, refusal: undefined };
  const shape = readChoice(reader);
  return reader.refusal ?? shape;
}

export function isNullable(shape: Shape): boolean {
  switch (shape.kind) {
    case "character":
      return false;
    case "sequence":
      return shape.parts.every(isNullable);
    case "choice":
      return shape.options.some(isNullable);
    case "repeat":
      return shape.least === 0 || isNullable(shape.body);
  }
}

interface Reader {
  readonly points: readonly string[];
  at: number;
  depth: number;
  refusal: string | undefined;
}

const NOTHING: Shape = { kind: "sequence", parts: [] };
const DEEPEST = 100;

function readChoice(reader: Reader): Shape {
  const options = [readSequence(reader)];
  while (take(reader, "|")) options.push(readSequence(reader));
  return options.length === 1 ? options[0]! : { kind: "choice", options };
}

function readSequence(reader: Reader): Shape {
  const parts: Shape[] = [];
  while (
    reader.at < reader.points.length &&
    reader.refusal === undefined &&
    !"|)".includes(reader.points[reader.at]!)
  ) {
    const part = readQuantifier(reader, readAtom(reader));
    for (const one of part.kind === "sequence" ? part.parts : [part]) parts.push(one);
  }
  return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
}

function readQuantifier(reader: Reader, body: Shape): Shape {
  const bounds = readBounds(reader);
  if (bounds === undefined) return body;
  take(reader, "?");
  const [least, most] = bounds;
  return { kind: "repeat", body, least, most };
}

function readBounds(reader: Reader): readonly [number, number] | undefined {
  if (take(reader, "*")) return [0, Infinity];
  if (take(reader, "+")) return [1, Infinity];
  if (take(reader, "?")) return [0, 1];
  if (!take(reader, "{")) return undefined;
  const [least = "", most = least] = readUntil(reader, "}").split(",");
  return [Number(least), most === "" ? Infinity : Number(most)];
}

function readAtom(reader: Reader): Shape {
  const point = reader.points[reader.at++]!;
  if (point === "(") return readGroup(reader);
  if (point === "[") return character(readClass(reader));
  if (point === ".") return character(complement([10, 10, 13, 13, 0x2028, 0x2029]));
  if (point === "^" || point === "$") return NOTHING;
  if (point !== "\\") return character(single(point));
  const next = reader.points[reader.at]!;
  if (next === "b" || next === "B") {
    reader.at++;
    return NOTHING;
  }
  if (/[1-9k]/.test(next)) reader.refusal ??= "refers back to a group";
  return character(readEscape(reader));
}

function readGroup(reader: Reader): Shape {
  if (take(reader, "?")) {
    const next = reader.points[reader.at++]!;
    if (next === "=" || next === "!" || (next === "<" && /[=!]/.test(reader.points[reader.at]!)))
      reader.refusal ??= "looks ahead or behind";
    else if (next === "<") readUntil(reader, ">");
    else if (next !== ":") reader.refusal ??= "changes flags in a group";
  }
  if (++reader.depth > DEEPEST) reader.refusal ??= `nests groups more than ${DEEPEST} deep`;
  if (reader.refusal !== undefined) return NOTHING;
  const shape = readChoice(reader);
  reader.depth--;
  reader.at++;
  return shape;
}

/** Behind the `[`. A class that holds `\p` counts as every character: too many is the safe side. */
function readClass(reader: Reader): Ranges {
  const negated = take(reader, "^");
  const found: number[] = [];
  while (!take(reader, "]")) {
    const first = readMember(reader);
    if (reader.points[reader.at] === "-" && reader.points[reader.at + 1] !== "]" && first.length === 2) {
      reader.at++;
      found.push(first[0]!, readMember(reader).at(-1)!);
    } else found.push(...first);
  }
  const ranges = merged(found);
  if (isEverything(ranges)) return ranges;
  return negated ? complement(ranges) : ranges;
}

function readMember(reader: Reader): Ranges {
  const point = reader.points[reader.at++]!;
  if (point !== "\\") return single(point);
  if (!take(reader, "b")) return readEscape(reader);
  return [8, 8];
}

const LAST = 0x10ffff;
const EVERYTHING: Ranges = [0, LAST];
const DIGIT: Ranges = [48, 57];
const WORD: Ranges = [48, 57, 65, 90, 95, 95, 97, 122];
const SPACE: Ranges = [
  9, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000,
  0x3000, 0xfeff, 0xfeff,
];
const NAMED: ReadonlyMap<string, Ranges> = new Map([
  ["d", DIGIT],
  ["D", complement(DIGIT)],
  ["w", WORD],
  ["W", complement(WORD)],
  ["s", SPACE],
  ["S", complement(SPACE)],
  ["t", [9, 9]],
  ["n", [10, 10]],
  ["v", [11, 11]],
  ["f", [12, 12]],
  ["r", [13, 13]],
  ["0", [0, 0]],
]);

/** Behind the backslash. */
function readEscape(reader: Reader): Ranges {
  const point = reader.points[reader.at++]!;
  const named = NAMED.get(point);
  if (named !== undefined) return named;
  if (point === "p" || point === "P") {
    readUntil(reader, "}");
    return EVERYTHING;
  }
  if (point === "c") return code(reader.points[reader.at++]!.codePointAt(0)! % 32);
  if (point === "x") return code(readHex(reader, 2));
  if (point !== "u") return single(point);
  if (take(reader, "{")) return code(Number.parseInt(readUntil(reader, "}"), 16));
  return code(readSurrogates(reader, readHex(reader, 4)));
}

/** `\ud83d\ude00` is one character. */
function readSurrogates(reader: Reader, high: number): number {
  const rest = reader.points.slice(reader.at, reader.at + 6).join("");
  if (high < 0xd800 || high > 0xdbff || !/^\\ud[c-f]/i.test(rest)) return high;
  reader.at += 2;
  return 0x10000 + ((high - 0xd800) << 10) + (readHex(reader, 4) - 0xdc00);
}

function readHex(reader: Reader, digits: number): number {
  const written = reader.points.slice(reader.at, reader.at + digits).join("");
  reader.at += digits;
  return Number.parseInt(written, 16);
}

function readUntil(reader: Reader, end: string): string {
  const close = reader.points.indexOf(end, reader.at);
  const text = reader.points.slice(reader.at, close).join("");
  reader.at = close + 1;
  return text;
}

function take(reader: Reader, point: string): boolean {
  if (reader.points[reader.at] !== point) return false;
  reader.at++;
  return true;
}

function character(ranges: Ranges): Shape {
  return { kind: "character", ranges };
}

function single(point: string): Ranges {
  return code(point.codePointAt(0)!);
}

function code(point: number): Ranges {
  return [point, point];
}

function merged(ranges: readonly number[]): Ranges {
  const pairs: [number, number][] = [];
  for (let i = 0; i < ranges.length; i += 2) pairs.push([ranges[i]!, ranges[i + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  const result: number[] = [];
  for (const [from, to] of pairs) {
    const end = result.at(-1);
    if (end !== undefined && from <= end + 1) result[result.length - 1] = Math.max(end, to);
    else result.push(from, to);
  }
  return result;
}

function complement(ranges: Ranges): Ranges {
  const result: number[] = [];
  let from = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i]! > from) result.push(from, ranges[i]! - 1);
    from = ranges[i + 1]! + 1;
  }
  if (from <= LAST) result.push(from, LAST);
  return result;
}

function isEverything(ranges: Ranges): boolean {
  return ranges.length === 2 && ranges[0] === 0 && ranges[1] === LAST;
}
