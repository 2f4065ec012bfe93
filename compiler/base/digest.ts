import { hash } from "node:crypto";
import type { Digest } from "./names.ts";

/** SHA-256 over the UTF-8 bytes of a text. The one `node:` import of this room: a pure function of its input. */
export function digestOf(text: string): Digest {
  return `sha256:${hash("sha256", text)}` as Digest;
}
