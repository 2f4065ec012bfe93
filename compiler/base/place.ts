/**
 * Where something was written: a file and the way through its keys and items.
 *
 * A place costs nothing to make and takes no part in equality. It becomes a span (line, column, text)
 * only when it is shown, because finding lines means reading the document a second, slower time.
 */
export interface Place {
  /** Relative to the project's root, with `/`. */
  readonly file: string;
  readonly path: KeyPath;
  /** `key` points at the name of the entry instead of what it holds. */
  readonly at?: "key";
  /**
   * Start and end in the text without a byte order mark and with LF alone, in place of the path:
   * for what is wrong with a document that has no values yet.
   */
  readonly range?: Stretch;
  /** In a file of another system `path` is what was made of it; this says where that was written. */
  readonly origins?: Origins;
  /** Of such a file: the block in which its lists give tools by names as a host shows them; elsewhere a tool's own name counts. */
  readonly givesAsShown?: GivesAsShown;
  /** A secret on that line, or several: they are shown masked. */
  readonly hide?: string | readonly string[];
}

export type GivesAsShown = "servers" | "roles";

/** Offsets in a text, the end behind it. */
export type Stretch = readonly [start: number, end: number];

/** Keys and items on the way to a value. */
export type KeyPath = readonly (string | number)[];

/**
 * Of a document that was translated: ways in the translation, each with the way in the file that it comes from. `file`: of
 * what another file beside it says.
 */
export type Origins = readonly (readonly [made: KeyPath, written: KeyPath, file?: string])[];

/** Where a place is written: lines and columns count from 1. Its lines are whole and as they stand, secrets included. */
export interface Located {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** How many characters of that line are meant; at least 1. */
  readonly length: number;
  readonly text: string;
  /** The lines before, where there are any: a few, down to the one right above. */
  readonly above?: string;
}

export type Locate = (place: Place) => Located | undefined;

/** A stretch of a file as people may see it. */
export interface Span {
  readonly file: string;
  readonly line: number;
  /** In the file. */
  readonly column: number;
  /** How many characters of `text` are meant; at least 1. */
  readonly length: number;
  /** The line, secrets masked, cut around what is meant where it is very long; unescaped. */
  readonly text: string;
  /** Where in `text` stands what is meant: not `column` where something before it was masked or cut. */
  readonly textColumn: number;
}

export function within(place: Place, ...more: KeyPath): Place {
  return { ...rootOf(place), path: [...place.path, ...more] };
}

export function keyOf(place: Place): Place {
  return { ...rootOf(place), path: place.path, at: "key" };
}

/** The whole document that a place is in. */
export function rootOf({ file, origins, givesAsShown }: Place): Place {
  if (origins === undefined) return { file, path: [] };
  return givesAsShown === undefined ? { file, path: [], origins } : { file, path: [], origins, givesAsShown };
}

/**
 * Places as they are written: the way through the file, and of what was made of several things, the nearest one around it.
 * Of each translation the origins are ordered once: there may be very many, and of as many places.
 */
export function findingWritten(): (place: Place) => Place {
  const known = new Map<Origins, OriginsByWay>();
  return (place) => {
    const { origins, ...written } = place;
    if (origins === undefined) return place;
    const byWay = known.get(origins) ?? new Map(origins.map((origin) => [wayOf(origin[0]), origin]));
    known.set(origins, byWay);
    const [made, path, file = place.file] = originOf(place.path, byWay);
    return {
      ...written,
      file: place.range === undefined ? file : place.file,
      path: [...path, ...place.path.slice(made.length)],
    };
  };
}

type OriginsByWay = ReadonlyMap<string, Origins[number]>;

function wayOf(path: KeyPath): string {
  return JSON.stringify(path);
}

function originOf(path: KeyPath, origins: OriginsByWay): Origins[number] {
  for (let length = path.length; length >= 0; length--) {
    const found = origins.get(wayOf(path.slice(0, length)));
    if (found !== undefined) return found;
  }
  return [[], []];
}
