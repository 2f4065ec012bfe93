/** `sha256:` and 64 hex digits. Loading node:crypto costs a quarter of Node's own start, and a build with nothing to do needs no digest. */
export function digestOfBytes(bytes: Uint8Array): string {
  return `sha256:${process.getBuiltinModule("node:crypto").hash("sha256", bytes)}`;
}

/** A checkout may turn LF into CRLF: that is no edit. */
export function withoutCarriageReturns(bytes: Buffer): Buffer {
  if (!bytes.includes("\r\n")) return bytes;
  return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

/** Text to bytes in one buffer that is used again: a view is good until the next call. */
export function createEncoder(): (text: string) => Buffer {
  let buffer = Buffer.allocUnsafeSlow(1 << 18);
  return (text) => {
    if (text.length * 3 > buffer.length) {
      const needed = Buffer.byteLength(text);
      if (needed > buffer.length) buffer = Buffer.allocUnsafeSlow(Math.max(needed, buffer.length * 2));
    }
    return buffer.subarray(0, buffer.write(text, "utf8"));
  };
}
