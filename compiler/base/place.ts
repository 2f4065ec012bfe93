/**
 * Where something was written: a file and the way through its keys and items.
 *
 * A place costs nothing to make and takes no part in equality. It becomes a span (line, column, text)
 * only when it is shown, because finding lines means reading the document a second, slower time.
 */
export interface Place {
  /** Relative to the project's root, with `/`. */
  readonly file: string;
  readonly path: readonly (string | number)[];
  /** `key` points at the name of the entry instead of what it holds. */
  readonly at?: "key";
  /**
   * Start and end in the text without a byte order mark and with LF alone, in place of the path:
   * for what is wrong with a document that has no values yet.
   */
  readonly range?: readonly [start: number, end: number];
  /** A secret on that line: it is shown masked. */
  readonly hide?: string;
}

/** A stretch of a file, made for people: lines and columns count from 1. */
export interface Span {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How many characters of that line are meant; at least 1. */
  readonly length: number;
  /** The whole line, cut where it is very long, unescaped. */
  readonly text: string;
}

export type Locate = (place: Place) => Span | undefined;

export function within(place: Place, ...more: readonly (string | number)[]): Place {
  return { file: place.file, path: [...place.path, ...more] };
}

export function keyOf(place: Place): Place {
  return { file: place.file, path: place.path, at: "key" };
}
