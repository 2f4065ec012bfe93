import { isUtf8 } from "node:buffer";

/**
 * Bytes as the text that every reader sees; a byte order mark stays. Undefined: they aren't sound UTF-8, or hold NUL, and
 * some hosts look for another encoding then.
 */
export function soundText(bytes: Buffer): string | undefined {
  return bytes.includes(0) || !isUtf8(bytes) ? undefined : bytes.toString("utf8");
}

/** Without a byte order mark, its lines ended by LF alone. Undefined: it has characters that end a line for some readers. */
export function plainLines(text: string): string | undefined {
  const lines = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  return ODD.test(lines) ? undefined : lines;
}

/** Control characters, and what parsers of YAML and TOML refuse, or take for a line break. */
const ODD = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
