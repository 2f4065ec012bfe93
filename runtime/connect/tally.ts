/** What a message holds, counted byte by byte before anybody reads it as JSON, in whatever pieces it comes: never less than is read. */
export interface Tally {
  size: number;
  values: number;
  /** Behind the first one of a list that is the whole message. */
  elements: number;
  /** Every way that an object goes on after a key: of a table each column is one, of a thousand objects without likeness each key. */
  readonly ways: Set<number>;
  deepest: number;
  depth: number;
  /** How each object that is open went on so far. */
  readonly open: number[];
  opened: boolean;
  inText: boolean;
  escaped: boolean;
  /** The text that is read, or was last, is a key. */
  isKey: boolean;
  key: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
export const LINE_FEED = 10;
export const RETURN = 13;
const BLANK = 32;
export const BRACE = 123;
const BRACKET = 91;

/** Nobody counts further, and no memory is spent on it. */
const FAR_TOO_DEEP = 1_000;
const FAR_TOO_MANY = 100_000;

/** Of hashes, and no sender knows it: he can't find texts that have the same one. */
const SEED = Math.trunc(Math.random() * 2 ** 31) | 1;
const PRIME = 16_777_619;

/** In the place of a way: what is open is a list. */
const LIST = 0;

export function createTally(): Tally {
  return {
    size: 0,
    values: 0,
    elements: 0,
    ways: new Set(),
    deepest: 0,
    depth: 0,
    open: [LIST],
    opened: false,
    inText: false,
    escaped: false,
    isKey: false,
    key: SEED,
  };
}

export function clearTally(tally: Tally): void {
  tally.size = tally.values = tally.elements = tally.deepest = tally.depth = 0;
  tally.opened = tally.inText = tally.escaped = false;
  if (tally.ways.size > 0) tally.ways.clear();
}

/** A line of an event stream, which costs its reader as much as a value. No text goes over its end. */
export function endTallyLine(tally: Tally): void {
  tally.values++;
  tally.inText = tally.escaped = false;
}

/** Of bytes that are read as JSON. */
export function countJson(tally: Tally, bytes: Uint8Array): void {
  tally.size += bytes.length;
  for (let i = 0; i < bytes.length; i++) {
    if (tally.inText) i = textEnd(tally, bytes, i);
    else if (bytes[i]! > BLANK) countSign(tally, bytes[i]!);
  }
}

/** Where the text ends, or the piece. No text of JSON goes over the end of a line: what stands before a message can't open one. */
function textEnd(tally: Tally, bytes: Uint8Array, from: number): number {
  const { isKey } = tally;
  let { escaped, key } = tally;
  let i = from;
  for (; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === LINE_FEED || byte === RETURN || (byte === QUOTE && !escaped)) break;
    escaped = byte === BACKSLASH && !escaped;
    if (isKey) key = Math.imul(key ^ byte, PRIME);
  }
  tally.inText = i === bytes.length;
  tally.escaped = tally.inText && escaped;
  tally.key = key;
  return i;
}

/** A sign between texts, or of a number or a word. */
function countSign(tally: Tally, byte: number): void {
  const { opened } = tally;
  // An element for each comma, and the first one of each that isn't empty.
  if (byte === COMMA || (opened && !closes(byte))) tally.values++;
  tally.opened = opens(byte);
  if (byte === QUOTE) {
    tally.inText = true;
    tally.key = SEED;
  } else if (byte === COLON) endKey(tally);
  else if (byte === COMMA) endElement(tally);
  else if (tally.opened) openBracket(tally, byte);
  else if (tally.depth > 0 && closes(byte)) tally.depth--;
}

function endElement(tally: Tally): void {
  tally.isKey = tally.open[tally.depth] !== LIST;
  if (tally.depth === 1 && !tally.isKey) tally.elements++;
}

function endKey(tally: Tally): void {
  const { open, depth, key, ways } = tally;
  tally.isKey = false;
  const way = Math.imul(open[depth]! ^ key, PRIME) ^ (key >>> 15) || SEED;
  open[depth] = way;
  if (ways.size < FAR_TOO_MANY) ways.add(way);
}

function openBracket(tally: Tally, byte: number): void {
  tally.isKey = byte === BRACE;
  if (tally.depth < FAR_TOO_DEEP) tally.open[++tally.depth] = tally.isKey ? SEED : LIST;
  if (tally.depth > tally.deepest) tally.deepest = tally.depth;
}

/** `[` and `{`. */
function opens(byte: number): boolean {
  return byte === BRACKET || byte === BRACE;
}

function closes(byte: number): boolean {
  return byte === 93 || byte === 125;
}
