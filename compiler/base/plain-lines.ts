/** Without a byte order mark, its lines ended by LF alone. Undefined: it has characters that end a line for some readers. */
export function plainLines(text: string): string | undefined {
  const lines = text.replace(/^\uFEFF/, "");
  return oddAt(lines) < 0 ? lines.replaceAll("\r\n", "\n") : undefined;
}

/** Where the first of them stands: control characters, and what parsers of YAML and TOML refuse, or take for a line break. -1: nowhere. */
export function oddAt(text: string): number {
  return text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)/);
}

/** Longer than anybody writes a header. In one long line things are nested so deeply that a parser of YAML stands still. */
export function isOverlong(header: string): boolean {
  return header.length > 65_536 || header.split("\n").some((line) => line.length > 16_384);
}
