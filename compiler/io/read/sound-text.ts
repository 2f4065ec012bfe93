import { isUtf8 } from "node:buffer";

/**
 * Bytes as the text that every reader sees; a byte order mark stays. Undefined: they aren't sound UTF-8, or hold NUL, and
 * some hosts look for another encoding then.
 */
export function soundText(bytes: Buffer): string | undefined {
  return bytes.includes(0) || !isUtf8(bytes) ? undefined : bytes.toString("utf8");
}
